"""People and machines: how they prove who they are, how long that holds, how often they may ask."""

from taisai.server.accounts.accounts import DEMO_PIN, Accounts
from taisai.server.accounts.credentials import CredentialsError
from taisai.server.accounts.hashing import COST, Cost
from taisai.server.accounts.limiting import Bucket, Buckets
from taisai.server.accounts.sessions import SESSION_COOKIE, Session, id_of

__all__ = [
    "COST",
    "DEMO_PIN",
    "SESSION_COOKIE",
    "Accounts",
    "Bucket",
    "Buckets",
    "Cost",
    "CredentialsError",
    "Session",
    "id_of",
]
