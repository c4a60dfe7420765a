"""How many columns text takes in a terminal."""

from unicodedata import east_asian_width


def character_width(character: str) -> int:
    """Count the columns of one character; Chinese characters take two."""
    return 2 if east_asian_width(character) in ("W", "F") else 1


def display_width(text: str) -> int:
    """Count the columns a text takes."""
    return sum(map(character_width, text))
