"""Bodies read strictly: into the very type that the document describes, and nothing is guessed."""

from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ValidationException


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is read as its route wants it: the text "5" is no number."""

    async def json(self) -> Any:
        """Read the body as what the route takes, or say what is wrong with it."""
        taken = self.route_handler.parsed_fn_signature.parameters.get("data")
        type_ = Any if taken is None else taken.annotation
        try:
            return msgspec.convert(_decode(await self.body()), type_)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _wrong(str(error)) from None
        except RecursionError:
            raise _wrong("it is nested too deeply") from None


def _number(text: str) -> int | float:
    """Read a number with a point: 5.0 is the whole number 5, as JSON Schema has it."""
    number = float(text)
    return int(number) if number.is_integer() else number


_decode = msgspec.json.Decoder(float_hook=_number).decode


def _wrong(message: str) -> ValidationException:
    return ValidationException(
        "the body is wrong", extra=[{"message": message, "key": "body", "source": "body"}]
    )
