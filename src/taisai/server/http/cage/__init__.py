"""The cage over HTTP: vouchers, unclaimed money and receipts, the drawer, chips in transit."""
