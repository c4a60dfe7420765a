"""Names: those that are allowed, and those that could pass for another person's [D34]."""

import pytest

from taisai.core.kernel.name_profile import looks, machine_refusal, person_refusal
from taisai.core.kernel.names import same_person

WELCOME = [
    *(
        "陳 David",
        "David 陳",
        "陳大文",
        "佐々木",
        "山田 タロー",
        "はなこ",
        "김민수",
        "Lee 김",
        "ㄔㄣ 陳",
    ),
    *("Ann Lee", "José Núñez", "Nguyễn Văn An", "Ọláyínká", "Ọ́lá", "O'Brien", "D’Arcy"),
    *("Jean-Luc", "Mary J. Smith", "Åsa Ö", "Łukasz", "Đỗ", "İlker", "ışık", "Ann 2", "7"),
    *("Анна Каренина", "Ζωή", "Հայկ", "გია", "محمد علي", "שלום", "राम कुमार", "สมชาย ใจดี"),
    *("அருண்", "অনিল", "ਸਿੰਘ", "អ៊ុំ", "阿·李", "マリア・テレサ", "٣٤"),
]
STRANGE = {
    "Ann\u200bLee": "U+200B",  # a zero-width space
    "Ann\u202eeeL": "U+202E",  # reverses the text after it
    "Ann\u2066Lee": "U+2066",
    "Ann\u00adLee": "U+00AD",  # an invisible hyphen
    "Ann\ufeffLee": "U+FEFF",
    "\u3164": "U+3164",  # a blank letter
    "Ann\ufe0f": "U+FE0F",
    "Ann\u034f": "U+034F",
    "Q\u0301\u0301": "U+0301",  # the same twice
    "Ann\u0336": "U+0336",  # struck through
    "Q\u0328\u0301\u0302\u0303\u0304": "U+0304",  # many combining marks
    "\uff21nn": "U+FF21",
    "𝐀nn": "U+1D400",
    "Annⅳ": "U+2173",
    "ɑnn": "U+0251",  # a phonetic letter
    "ǃKung": "U+01C3",
    "Ann\tLee": "U+0009",
    "Ann\u00a0Lee": "U+00A0",
    "Ann  Lee": "U+0020",
    " Ann": "U+0020",
    "Ann ": "U+0020",
    "Ann|Lee": "U+007C",
    "--": "U+002D",
    "…": "U+2026",
    "Ann☺": "U+263A",
    "ᚠᚢ": "U+16A0",  # an ancient script
    "\ue000": "U+E000",
    "Ann_Lee": "U+005F",
}
MIXED = [
    "\u0410nn Lee",
    "Ann \u041bee",
    "\u0391nn",
    "Ann \u0535",
    "Ζωя",
    "אב محمد",
    "Ann रा",
    "ann٣1",
    "はな 김",
]
RESERVED = [
    *("host", "Host", "HOST", "system", "System", "automatic-dealer", "Automatic-Dealer", "door"),
    *("h0st", "Taisai Staff", "carrier"),
]


@pytest.mark.parametrize("name", WELCOME)
def test_people_are_welcome_by_their_own_names(name: str) -> None:
    assert person_refusal(name) is None
    assert machine_refusal(name) is None


@pytest.mark.parametrize(("name", "code"), STRANGE.items())
def test_what_is_not_seen_or_not_in_use_is_no_name(name: str, code: str) -> None:
    refusal = person_refusal(name)
    assert refusal is not None
    assert (refusal.code, dict(refusal.reason.params)) == ("NAME_CHARACTER", {"code": code})


@pytest.mark.parametrize("name", MIXED)
def test_scripts_that_are_not_written_together_are_no_name(name: str) -> None:
    refusal = person_refusal(name)
    assert refusal is not None
    assert refusal.code == "NAME_MIXED"


@pytest.mark.parametrize("name", RESERVED)
def test_a_program_of_the_house_lends_nobody_its_name(name: str) -> None:
    refusal, machine = person_refusal(name), machine_refusal(name)
    assert refusal is not None
    assert refusal == machine
    assert refusal.code == "NAME_RESERVED"


def test_a_machine_may_have_signs_that_people_have_not() -> None:
    for name in ("T_1", "Row 4/7", "#12", "A+B (old)"):
        assert machine_refusal(name) is None
        assert person_refusal(name) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Coco", "\u0421\u043e\u0441\u043e"),  # all of it Cyrillic
        ("Bob", "B0b"),
        ("Ilse", "llse"),
        ("Ann 1", "Ann l"),
        ("O'Brien", "O’Brien"),
        ("KATE", "\u039a\u0391\u03a4\u0395"),  # all of it Greek
        ("Ann Lee", "annlee"),
    ],
)
def test_names_that_look_alike_are_one_persons(one: str, other: str) -> None:
    assert same_person(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ila", "Lia"), ("Arne", "Ame"), ("Ann", "Anne"), ("José", "Jose"), ("陳 David", "David")],
)
def test_names_that_differ_are_two_persons(one: str, other: str) -> None:
    assert not same_person(one, other)
    assert looks(one) != looks(other)
