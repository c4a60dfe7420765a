"""Tai Sai: four approved rulebooks, eleven pay tables, every settled bet with its reason.

    >>> import taisai
    >>> taisai.pay_table("etg8/1").boxes["total-8"].house_edge
    Fraction(11, 144)

`__init__.pyi` lists its names. They are imported when first asked for, so that a command that needs
little starts at once.
"""

from taisai.face import face_of

__version__ = "0.1.0"
__getattr__, __dir__ = face_of(__name__, __file__)
