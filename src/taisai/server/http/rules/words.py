"""Words: the names of things in a language, and reasons worded again in another language."""

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.reason import Reason, printable
from taisai.protocol.client_messages import Language
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.caching import fixed
from taisai.server.http.frame.dependencies import PROBLEMS, WHOLE_MAX
from taisai.server.http.frame.problems import not_found
from taisai.wording import LANGUAGES, name_box, say, words

#: The most reasons in one request: a page that changes its language hardly has more.
REASONS_MAX = 50
BLANKS_MAX = 20

InWhich = Annotated[Language, PathParameter(description="the language")]
Name = Annotated[str, Meta(max_length=64)]
Blank = Annotated[str, Meta(max_length=2_000)] | Annotated[int, Meta(ge=-WHOLE_MAX, le=WHOLE_MAX)]


class WordsView(Struct, frozen=True):
    """The wording of a language: names of boxes and irregularities, sentences with their blanks."""

    language: str
    boxes: dict[str, str]
    kinds: dict[str, str]
    sentences: dict[str, str]
    captions: dict[str, str]
    records: dict[str, str]
    irregularities: dict[str, str]


class ReasonAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something was so: the code of a refusal, and what fills the blanks of its sentence."""

    code: Name
    params: Annotated[dict[Name, Blank], Meta(max_length=BLANKS_MAX)] = {}


class ReasonsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Reasons that stand on a page in another language."""

    reasons: Annotated[list[ReasonAsked], Meta(max_length=REASONS_MAX)]


class Sentences(Struct, frozen=True):
    """The sentences of reasons, in their order."""

    language: str
    sentences: list[str]


@lru_cache(maxsize=len(LANGUAGES))
def _words(language: str) -> bytes:
    own, english = words(language), words("en")
    parts = {
        part: {**english[part], **own[part]}
        for part in ("kinds", "sentences", "captions", "records", "irregularities")
    }
    boxes = {key: name_box(key, language) for key in BOX_NAMES}
    return msgspec.json.encode(WordsView(language, boxes, **parts))


def _say(reason: ReasonAsked, language: str) -> str:
    """Word a reason that the venue gave; a made-up one has no sentence."""
    if reason.code not in words("en")["sentences"]:
        raise not_found("NO_SUCH_REASON", code=printable(reason.code))
    try:
        return printable(say(Reason(reason.code, reason.params), language))
    except (KeyError, ValueError):
        raise not_found("NO_SUCH_REASON", code=reason.code) from None


@get("/api/words/{language:str}", **route("venue", "Words of a language", EVERYBODY, fixed=True))
async def words_of(
    request: Request[Any, Any, Any],
    language: InWhich,
) -> Response[WordsView]:
    """Say how a language names boxes, and the sentence of every code, with its blanks."""
    return fixed(request, _words(language))


@post(
    "/api/words/{language:str}",
    **route("venue", "Say reasons in a language", EVERYBODY, (*PROBLEMS, 404), status=200),
)
async def say_again(language: InWhich, data: JSONBody[ReasonsAsked]) -> Sentences:
    """Say in a language what was refused before, and why: by code and params of the refusals."""
    return Sentences(language, [_say(each, language) for each in data.reasons])
