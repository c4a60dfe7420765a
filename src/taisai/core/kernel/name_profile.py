"""Which names people, terminals and tables may have, so that no name passes for another [D34].

The profile is that of UTS 39 at its level "highly restrictive": invisible characters are refused,
and so are letters of two scripts that are not written together. 陳 David is accepted. docs/names.md
has all of it.
"""

from unicodedata import category, name, normalize

from taisai.core.rules.reason import Refusal, refuse

NAME_MAX = 64

#: The names that programs of the house act under, and names that look like one of them.
RESERVED = frozenset(
    ("host", "system", "automatic-dealer", "door", "carrier", "router", "restore", "taisai staff")
)
#: Characters allowed between letters and digits.
_BETWEEN = frozenset(" '’-.,·・")
#: Characters allowed besides those in the names of machines.
_IN_MACHINES = frozenset("_#/&+()")

#: Scripts in wide use (UAX 31, table 5), as the names of their letters begin: a name never changes.
_SCRIPTS = frozenset(
    (
        *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA"),
        *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA"),
        *("MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "ETHIOPIC"),
        *("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"),
    )
)
#: Sets of scripts that are written together, each of them with Latin letters.
_TOGETHER = (
    frozenset(("LATIN", "CJK", "HIRAGANA", "KATAKANA")),
    frozenset(("LATIN", "CJK", "BOPOMOFO")),
    frozenset(("LATIN", "CJK", "HANGUL")),
)
#: The plain letters of alphabets whose phonetic and historic letters look like plain ones.
_IN_USE = {
    "LATIN": (
        *((0x41, 0x17F), (0x18F, 0x18F), (0x192, 0x192), (0x1A0, 0x1A1), (0x1AF, 0x1B0)),
        *((0x1CD, 0x1DC), (0x1DE, 0x1EF), (0x1F4, 0x1F5), (0x1F8, 0x21B), (0x21E, 0x21F)),
        *((0x226, 0x233), (0x259, 0x259), (0x1E00, 0x1E99), (0x1E9E, 0x1E9E), (0x1EA0, 0x1EF9)),
    ),
    "GREEK": ((0x386, 0x3CE), (0x1F00, 0x1FFF)),
    "CYRILLIC": ((0x400, 0x45F), (0x48A, 0x4FF), (0x510, 0x513), (0x51A, 0x51D), (0x524, 0x52F)),
}
_ITERATION, _FILLERS = "々", "\u115f\u1160\u3164\uffa0\u17b4\u17b5"
#: Marks over and under a letter; not those that strike it through, nor the invisible one.
_MARKS = ((0x300, 0x333), (0x339, 0x34E), (0x350, 0x36F))
MARKS_MAX = 4

#: Letters and digits of these scripts that look like a plain one, as Unicode lists them (UTS 39).
_PASSING_FOR = {
    "'": "’",
    "3": "ЗӠ",
    "6": "б",
    "8": "৪੪",
    "9": "৭੧୨൭",
    "a": "ΑαАа",
    "b": "ΒВЬ",
    "c": "Сс",
    "e": "ΕЕеҽ",
    "f": "ք",
    "g": "ց",
    "h": "ΗНһհ",
    "i": "ıιіӏ",
    "j": "Јј",
    "k": "ΚК",
    "l": "ΙІӀI1",
    "m": "ΜМ",
    "n": "Νոռ",
    "o": "ΟοσОоՕօ०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐ0",
    "p": "ΡρРр",
    "q": "ԛգզ",
    "r": "г",
    "s": "ЅѕՏ",
    "t": "ΤТ",
    "u": "υՍսሀ",
    "v": "ν",
    "w": "Ԝԝա",
    "x": "ΧХх",
    "y": "ΥγУуҮүყ",
    "z": "Ζ",
}
_LOOKS_LIKE = str.maketrans(
    {each: plain for plain, others in _PASSING_FOR.items() for each in others}
)


def is_name(text: str, longest: int = NAME_MAX) -> bool:
    """Say whether a text can be a name: not blank, not too long, and without an account's colon."""
    return bool(text.strip()) and len(text) <= longest and ":" not in text


def looks(text: str) -> str:
    """Write a name as it looks: letters that look alike become one letter."""
    plain = normalize("NFKC", text).translate(_LOOKS_LIKE)
    return "".join(plain.casefold().split())


def person_refusal(text: str) -> Refusal | None:
    """Refuse a text that cannot be the name of a person [D34]."""
    return _refusal(text, _BETWEEN)


def machine_refusal(text: str) -> Refusal | None:
    """Refuse a text that cannot be the name of a terminal or a table [D34]."""
    return _refusal(text, _BETWEEN | _IN_MACHINES)


def _refusal(text: str, between: frozenset[str]) -> Refusal | None:
    text = normalize("NFC", text)
    if not is_name(text):
        return refuse("NAME_MISSING")
    strange = _strange(text, between)
    if strange is not None:
        return refuse("NAME_CHARACTER", code=f"U+{ord(strange):04X}")
    if not _written_together(text):
        return refuse("NAME_MIXED")
    if looks(text) in _RESERVED_LOOKS:
        return refuse("NAME_RESERVED")
    return None


_RESERVED_LOOKS = frozenset(map(looks, RESERVED))


def _strange(text: str, between: frozenset[str]) -> str | None:
    """Find a character that is not allowed in a name."""
    if text != text.strip():
        return text[0] if text[0].isspace() else text[-1]
    marks, before = 0, ""
    for each in text:
        marks = marks + 1 if category(each)[0] == "M" else 0
        doubled = each == before and not each.isalnum()
        if marks > MARKS_MAX or doubled or not (each in between or _is_plain(each)):
            return each
        before = each
    return None if any(map(str.isalnum, text)) else text[0]


def _is_plain(each: str) -> bool:
    """Say whether a character is a letter, mark or digit in use, written in the one usual way."""
    if normalize("NFKC", each) != each or each in _FILLERS:
        return False
    kind, code = category(each), ord(each)
    if kind == "Nd":
        return each.isascii() or _script(each) in _SCRIPTS
    if kind in ("Mn", "Mc") and name(each).startswith("COMBINING"):
        return any(first <= code <= last for first, last in _MARKS)
    script = _script(each)
    if kind[0] not in "LM" or script not in _SCRIPTS:
        return False
    return any(first <= code <= last for first, last in _IN_USE.get(script, ((0, code),)))


def _script(each: str) -> str:
    if each == _ITERATION:
        return "CJK"
    return name(each, "").split("-")[0].split(" ")[0]


def _written_together(text: str) -> bool:
    """Say whether all letters are of one script, or of scripts that are written together."""
    letters = [each for each in text if category(each)[0] == "L" or each.isdecimal()]
    scripts = {_script(each) for each in letters if not each.isascii() or each.isalpha()}
    digits = {_script(each) for each in letters if each.isdecimal()}
    if len(digits) > 1:
        return False
    return len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)
