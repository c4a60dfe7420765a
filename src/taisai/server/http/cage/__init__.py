"""The cage over HTTP: vouchers, unclaimed money and receipts, the drawer, chips in transit."""

from taisai.server.http.cage import drawer, receipts, unclaimed, vouchers

SUBJECTS = (vouchers, unclaimed, receipts, drawer)
