"""Where the dice come from: by chance, from a secret that is bound beforehand, or read from a felt.

A table whose dealer keys the faces has no tumbler here: its `Equipment` says `keyed`.
"""

from taisai.runtime.tumblers.contract import Tumble, Tumbler, TumblerFault, turn_of
from taisai.runtime.tumblers.sealing import SealBrokenError, Sealer
from taisai.runtime.tumblers.simulated import SimulatedTumbler
from taisai.runtime.tumblers.verifiable import VerifiableTumbler

__all__ = [
    "SealBrokenError",
    "Sealer",
    "SimulatedTumbler",
    "Tumble",
    "Tumbler",
    "TumblerFault",
    "VerifiableTumbler",
    "turn_of",
]
