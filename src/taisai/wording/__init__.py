"""Sentences: a reason's code and parameters, worded in a language from that language's file.

Nothing is glued together from words: each code has a whole sentence of its own, with blanks. The
files are data, `en.toml` complete and the others at least in part; what a language lacks is said in
English.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Self

from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason
from taisai.core.rules.schema import AreaContent, CaptionContent
from taisai.data_files import read_beside

LANGUAGES = ("en", "zh-Hans", "zh-Hant")

Words = Mapping[str, Mapping[str, str]]


class Told(str):
    """A sentence in English that was told to whoever reads it later: it keeps its reason."""

    __slots__ = ("reason",)

    reason: Reason

    def __new__(cls, reason: Reason) -> Self:
        """Word a reason in English."""
        sentence = super().__new__(cls, say(reason))
        sentence.reason = reason
        return sentence

    def __str__(self) -> Self:
        """Stay the same sentence, also as the text of an error."""
        return self


def told(code: str, /, **params: int | str) -> Told:
    """Tell something that may be read in another language: a sentence may be in its blanks."""
    return Told(Reason(code, params))


def say_again(text: str, language: str = "en") -> str:
    """Say what was told in a language; a text that has no reason stays as it is."""
    return say(text.reason, language) if isinstance(text, Told) else text


def plain(reason: Reason, most: int) -> Reason:
    """Give a reason that can be written down: sentences in its blanks are texts in English."""
    params = {
        name: say_again(value)[:most] if isinstance(value, str) else value
        for name, value in reason.params.items()
    }
    return Reason(reason.code, params)


def say(reason: Reason, language: str = "en", *, minor_units: bool = False) -> str:
    """Word a reason as one sentence; amounts for people, or as programs write them [div9 6.3]."""
    if " " in reason.code:
        return _complain(reason, language)
    template = _find("sentences", reason.code, language)
    return template.format(
        **{name: _word(name, value, language, minor_units) for name, value in reason.params.items()}
    )


def _complain(reason: Reason, language: str) -> str:
    """Say what the auditor complains of: the code of its reason is its own English sentence."""
    said = complaints(language).get(reason.code, reason.code)
    blanks = reason.params.items()
    return said.format(**{name: _within_complaint(value, language) for name, value in blanks})


def _within_complaint(value: int | str, language: str) -> int | str:
    return say_again(value, language) if isinstance(value, str) else value


@cache
def complaints(language: str) -> Mapping[str, str]:
    """Read what the auditor's sentences are in a language; they are written in English."""
    import tomllib  # noqa: PLC0415

    if language == "en":
        return {}
    return tomllib.loads(read_beside(__file__, f"auditor.{language}.toml").decode())


def say_all(reasons: Iterable[Reason], language: str = "en") -> str:
    """Word reasons one after the other."""
    return ("; " if language == "en" else "；").join(say(each, language) for each in reasons)


@cache
def name_box(key: str, language: str = "en") -> str:
    """Name a betting box as a person would say it."""
    box = BOX_NAMES[key]
    digits = "".join(map(str, box.numbers))
    blanks = dict(zip(("first", "second"), box.numbers, strict=False))
    return _find("boxes", box.kind.value, language).format(digits=digits, **blanks)


def word_caption(table: PayTable, printed: CaptionContent, language: str = "en") -> str:
    """Word a caption of a layout with the odds of the box it names."""
    odds = [write_odds(each) for each in table.boxes[printed.pays_of].odds]
    names = ("odds",) if len(odds) == 1 else ("one", "two", "three")
    return name("captions", printed.code, language, **dict(zip(names, odds, strict=True)))


def word_area(table: PayTable, printed: AreaContent, language: str = "en") -> tuple[str, ...]:
    """Word what an area of a layout prints of its box beside name and odds [D31]."""
    totals = table.boxes[printed.box].totals
    blanks = {"low": min(totals), "high": max(totals)} if printed.prints else {}
    return tuple(name("captions", code, language, **blanks) for code in printed.prints)


def name(section: str, code: str, language: str = "en", **blanks: int | str) -> str:
    """Word a code of a section of the file: a kind of bet, a caption, a step, an irregularity."""
    return _find(section, code, language).format(**blanks)


def write_amount(cents: int) -> str:
    """Write an amount of minor units for people: 123456 is 1,234.56."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def per_cent(share: Fraction | float, decimals: int = 2) -> str:
    """Write a share in hundredths."""
    return f"{float(share * 100):.{decimals}f} %"


@cache
def words(language: str) -> Words:
    """Read a language's file."""
    # Not at the top: who only counts and adds up says nothing.
    import tomllib  # noqa: PLC0415

    return tomllib.loads(read_beside(__file__, f"{language}.toml").decode())


def _find(section: str, code: str, language: str) -> str:
    return words(language)[section].get(code) or words("en")[section][code]


def _word(name: str, value: int | str, language: str, minor_units: bool) -> str:
    """Write a parameter as its name tells: a box, an amount, a command, or as it stands."""
    if isinstance(value, Told):
        return say_again(value, language)
    if name == "box" or name.endswith("_box"):
        return name_box(str(value), language)
    if name.endswith("_cents"):
        return str(value) if minor_units else write_amount(int(value))
    if name == "seat_bets":
        return _seat_bets(value, language)
    if name == "lit":
        return ", ".join(_box_or_itself(each, language) for each in str(value).split(", "))
    if name in _LISTED:
        section = _LISTED[name]
        # A wrong value that is shown may have a comma of its own, which stays.
        comma = ", " if language == "en" or section == "values" else "、"
        return comma.join(_or_itself(section, each, language) for each in str(value).split(", "))
    if name == "stream":
        return name_stream(str(value), language)
    if name in _WITHIN:
        return _within(_WITHIN[name], str(value), language)
    if name in _NAMED:
        return _or_itself(_NAMED[name], str(value), language)
    return str(value)


def name_stream(stream: str, language: str = "en") -> str:
    """Name a stream of the journal: the cage, the venue, or a table."""
    kind, slash, table = stream.partition("/")
    if kind == "table" and slash:
        return name("streams", "table", language, table=table)
    return _or_itself("streams", stream, language)


#: Parameters that are named within a sentence: irregularities, checks and pieces of equipment.
_WITHIN = {"what": "irregularities", "check": "opening", "equipment": "opening"}
#: Parameters that are named by a section of the file; what has no name there stands for itself.
_NAMED = {
    "command": "commands",
    "role": "roles",
    "ruling": "codes",
    "reason": "codes",
    "source": "codes",
    "form": "codes",
    "planned": "codes",
    "place": "places",
    "tumbler": "codes",
    "colour": "colours",
    "field": "fields",
    "aspect": "aspects",
}
#: Parameters of several that are named so: whoever operates a house stands for themselves.
_LISTED = {
    "approved": "codes",
    "here": "codes",
    "roles": "roles",
    "dice": "values",
    "stake": "values",
    "value": "values",
}


def _box_or_itself(key: str, language: str) -> str:
    """Name a box that was lit; where none was, a dash stands for it."""
    return name_box(key, language) if key in BOX_NAMES else key


def _or_itself(section: str, code: str, language: str) -> str:
    """Name a code by a section of the file; one that has no name there stands for itself."""
    return _find(section, code, language) if code in words("en")[section] else code


def _seat_bets(value: int | str, language: str) -> str:
    """Name bets that are written as seat and box: `2/small 1/odd`, and `…` for more."""
    return ", ".join(_seat_bet(*each.partition("/"), language) for each in str(value).split())


def _seat_bet(seat: str, slash: str, box: str, language: str) -> str:
    if not slash:
        return seat
    return name("sentences", "BET_OF_SEAT", language, seat=seat, box=name_box(box, language))


def _within(section: str, code: str, language: str) -> str:
    """Name something within a sentence; a code that has no name stands for itself."""
    if code not in words("en")[section]:
        return code
    found = name(section, code, language)
    return found[0].lower() + found[1:]
