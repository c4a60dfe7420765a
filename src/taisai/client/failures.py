"""What can go wrong between a client and a venue: exceptions whose text is a sentence."""


class ClientError(Exception):
    """Something that a client could not do; its text is a sentence for a person."""


class NotConnected(ClientError):  # noqa: N818 - it is a condition, as a refusal is
    """Nobody answers at the address, or the connection was lost for good."""


class NotWelcome(ClientError):  # noqa: N818 - it is a condition, as a refusal is
    """The venue does not accept the credentials."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class NotAllowed(ClientError):  # noqa: N818 - it is a condition, as a refusal is
    """The venue did not understand or allow a message; nothing was changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class NotAnswered(ClientError, TimeoutError):  # noqa: N818 - it is a condition, as a refusal is
    """No answer came in time: asked again with the same `id`, the same answer comes."""

    def __init__(self, id_: str, seconds: float) -> None:
        super().__init__(
            f"no answer to {id_} within {seconds:g} seconds; it may be registered or not:"
            f" ask again with the same id to know"
        )
        self.id = id_


class NotReceived(ClientError, TimeoutError):  # noqa: N818 - it is a condition, as a refusal is
    """Something that was waited for did not come in time."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what} did not come within {seconds:g} seconds")


class HttpProblem(ClientError):  # noqa: N818 - the name of what the venue answers with
    """The venue answered a request with problem details."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
