"""The cage: vouchers, unclaimed money, the drawer, fills. Importing it registers them."""

from taisai.core.cage import drawer, fills, unclaimed, vouchers

__all__ = ["drawer", "fills", "unclaimed", "vouchers"]
