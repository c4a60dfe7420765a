"""The keys of a venue: what signs, what numbers vouchers, what seals secrets, and who may know.

A directory of keys is made once and loaded at every start. Of the signing key the public half, and
the chain of endorsements from the first key to the newest, can be published; nothing else can.
"""

from taisai.runtime.keys.directory import create_keys, describe_keys, load_keys, rotate_keys
from taisai.runtime.keys.files import KeysError, Secret
from taisai.runtime.keys.signing import (
    Endorsement,
    PublicKeys,
    Signer,
    VenueKeys,
    fresh_keys,
    publish_keys,
    read_public,
    spell_fingerprint,
)

__all__ = [
    "Endorsement",
    "KeysError",
    "PublicKeys",
    "Secret",
    "Signer",
    "VenueKeys",
    "create_keys",
    "describe_keys",
    "fresh_keys",
    "load_keys",
    "publish_keys",
    "read_public",
    "rotate_keys",
    "spell_fingerprint",
]
