"""The subjects of the cage, whose routes are the venue's."""

from types import ModuleType

from taisai.server.http.cage import drawer, receipts, unclaimed, vouchers

SUBJECTS: tuple[ModuleType, ...] = (vouchers, unclaimed, receipts, drawer)
