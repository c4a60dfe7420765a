"""The application of a venue that waits for its first two persons: its page, and its founding.

Until it is founded it has only these addresses.
"""

from typing import Any

from litestar import Litestar, Request, get
from litestar.datastructures import State

from taisai.protocol import PROTOCOL
from taisai.server.founding import Founding
from taisai.server.http.frame.access import EVERYBODY
from taisai.server.http.frame.problems import HANDLERS
from taisai.server.http.frame.requests import StrictRequest
from taisai.server.http.frame.security import BODY_MAX, Security
from taisai.server.http.site.founding import found_venue
from taisai.server.http.site.pages import page_file, screen
from taisai.server.http.tables.lobby import VenueView
from taisai.server.settings import Settings
from taisai.wording import LANGUAGES


@get("/api/venue", opt={"roles": EVERYBODY})
async def venue_to_be(request: Request[Any, Any, Any]) -> VenueView:
    """Say that the venue is not founded yet, and what is known of it."""
    founding: Founding = request.app.state.founding
    return VenueView(
        name=founding.name or "Tai Sai",
        currency=founding.currency,
        demo=False,
        at=founding.now(),
        tables=[],
        protocol=PROTOCOL,
        languages=LANGUAGES,
        founded=False,
    )


def make_founding_app(founding: Founding, settings: Settings) -> Litestar:
    """Make the application of a venue that waits for its first two persons."""
    app = Litestar(
        route_handlers=[screen, page_file, venue_to_be, found_venue],
        exception_handlers=HANDLERS,
        logging_config=None,
        openapi_config=None,
        request_class=StrictRequest,
        request_max_body_size=BODY_MAX,
        state=State({"founding": founding}),
    )
    app.asgi_handler = Security(app.asgi_handler, settings)
    return app
