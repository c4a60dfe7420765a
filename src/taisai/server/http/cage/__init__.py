"""The cage over HTTP: vouchers, the drawer and its shifts, chips in transit."""
