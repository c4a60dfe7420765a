"""The cage: vouchers, the cashier's drawer, fills to chip tables. Importing it registers them."""

from taisai.core.cage import drawer, fills, vouchers

__all__ = ["drawer", "fills", "vouchers"]
