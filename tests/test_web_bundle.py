"""The build of the screens: what is compressed, the size of a first load, and its limits."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tools import web_bundle


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Make a small build: a page, its entry, the Player Terminal and the words of each area."""
    chunks: dict[str, dict[str, Any]] = {
        "index.html": {"file": "index.js", "imports": ["_shell.js"], "css": ["index.css"]},
        "_shell.js": {"file": "shell.js"},
        "src/play/index.tsx": {"file": "play.js", "imports": ["_shell.js"], "css": ["play.css"]},
        "src/audit/index.tsx": {"file": "audit.js"},
    }
    for language in web_bundle.LANGUAGES:
        for area in web_bundle.WORDS:
            file = f"words-{area}-{language}.js"
            chunks[f"src/words/{language}/{area}.json"] = {"file": file}
    (tmp_path / "manifest.json").write_text(json.dumps(chunks))
    (tmp_path / "index.html").write_bytes(b"x" * 100)
    for chunk in chunks.values():
        for name in (chunk["file"], *chunk.get("css", ())):
            (tmp_path / name).write_bytes(b"x" * 10)
    return tmp_path


def noise(size: int) -> bytes:
    """Give bytes that cannot be compressed."""
    return os.urandom(size)


def test_a_first_load_is_the_page_the_terminal_and_its_words(built: Path) -> None:
    files = web_bundle.first_load(built, "en")
    words = {f"words-{area}-en.js" for area in web_bundle.WORDS}
    own = {"index.html", "index.js", "index.css", "shell.js", "play.js", "play.css"}
    assert {*files} == own | words, "nothing of another screen or language"
    assert sum(files.values()) == 100 + 10 * (len(files) - 1)


def test_what_is_sent_is_what_is_weighed(built: Path) -> None:
    (built / "play.js").write_bytes(b"x" * 50_000)
    web_bundle.compress(built)
    compressed = built / "play.js.gz"
    assert gzip.decompress(compressed.read_bytes()) == b"x" * 50_000
    assert web_bundle.first_load(built, "en")["play.js"] == compressed.stat().st_size
    assert not (built / "shell.js.gz").exists(), "too small to gain anything"


def test_the_same_sources_make_the_same_bytes(built: Path) -> None:
    (built / "play.js").write_bytes(b"play" * 500)
    web_bundle.compress(built)
    first = (built / "play.js.gz").read_bytes()
    web_bundle.compress(built)
    assert (built / "play.js.gz").read_bytes() == first
    assert not (built / "play.js.gz.gz").exists()


def test_a_first_load_that_is_too_heavy_is_refused_with_what_is_in_it(built: Path) -> None:
    assert "first load of the Player Terminal is 200 bytes" in web_bundle.weigh(built)
    (built / "words-play-zh-Hant.js").write_bytes(noise(web_bundle.FIRST_LOAD_BYTES_MAX))
    with pytest.raises(web_bundle.BundleError, match="in zh-Hant, and 100,000 is the most") as told:
        web_bundle.weigh(built)
    assert "100,000  words-play-zh-Hant.js" in str(told.value)


def test_nothing_built_and_a_part_missing_are_told(built: Path, tmp_path: Path) -> None:
    with pytest.raises(web_bundle.BundleError, match="nothing is built: run 'make web'"):
        web_bundle.weigh(tmp_path / "elsewhere")
    (built / "manifest.json").write_text("{}")
    with pytest.raises(web_bundle.BundleError, match=r"has no index\.html"):
        web_bundle.weigh(built)


def test_the_screens_as_they_are_built_are_light_enough() -> None:
    assert "100,000 is the most" in web_bundle.weigh(web_bundle.ROOT / web_bundle.BUILT)
