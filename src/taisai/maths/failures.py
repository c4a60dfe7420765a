"""What the mathematics answers to a question that has no answer: one sentence for whoever asked."""


class MathsError(ValueError):
    """A question that cannot be answered as it was asked; its text says what would be right."""


def missing_extra(what: str, extra: str) -> MathsError:
    """Say which extra brings the package that an answer needs and this installation lacks."""
    return MathsError(f'{what} needs an extra: pip install "taisai[{extra}]"')
