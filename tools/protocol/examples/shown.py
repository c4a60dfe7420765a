"""Examples of events as sent to everybody, or to one terminal alone."""

from msgspec import Struct

from taisai.core.kernel.messages import BoxStake
from taisai.protocol import private, public, views
from tools.protocol.examples.afternoon import BEGAN, COMMITMENT, FINGERPRINT, SECRET

LINES = (
    views.Line("small", 5_000, 5_000, 10_000, "1", "4.1.2"),
    views.Line("total-10", 1_000, 6_000, 7_000, "6", "4.1.2"),
)
LAST = views.RoundOutcome(214, LINES, back=17_000, won=11_000, faces=(2, 3, 5))

SHOWN: tuple[Struct, ...] = (
    public.RulebookAdopted("ts6", FINGERPRINT, 2),
    public.LimitsSet(),
    public.TableOpened(),
    public.NoticeGiven(),
    public.TableClosed(),
    public.RoundStarted(214, BEGAN),
    public.BetsOpened("Place your Bets, please", "3.2"),
    public.TumbleRecorded(3),
    public.BetsClosed("No more Bets", bell=True, clause="3.6"),
    public.ResultsDisagreed(),
    public.ResultEntered((2, 3, 5), 10, "Two, three, five: ten, Small, even"),
    public.ResultConfirmed((2, 3, 5), ("small", "even", "total-10")),
    public.ResultAmended((2, 3, 6), 11, "Two, three, six: eleven, Big, odd", (2, 3, 5), "5.10"),
    public.RoundSettled(214, (2, 3, 5), {"small": "1", "total-10": "6"}, 10, "small", "even"),
    public.RoundVoided(214, "die-not-flat", "5.5.2", "A die does not lie flat: every Bet is void."),
    public.ChainPublished(COMMITMENT, 10_000, 215),
    public.SecretRevealed(215, SECRET, (1, 4, 4), agrees=True),
    public.ChainAbandoned(),
    public.ChainRetired(),
    public.IrregularityReported("die-not-flat", "void-round", "5.5.2", in_doubt=False),
    public.InterruptionRecorded("wait", "5.4"),
    public.PlayResumed(),
    public.TableStopped("5.8"),
    public.TableRectified(),
    public.SafeProcedureDeclared(),
    public.ReportDeclined(214, "dice-exposed", "5.5.3", tumbles_again=False),
    public.VoidAnnounced(31, "No spin", "7.1(a)"),
    public.RoundsReversed((212, 213), "5.6"),
    public.RoundResettled(214, (2, 3, 6), (2, 3, 5), "5.10", 11, "big", "odd"),
    public.SeatTaken("3"),
    public.SeatLeft("3"),
    public.ColourAssigned("3", "pink", 500),
    public.ColourReleased("pink"),
    public.LosersCollected(214),
    private.BetsRegistered((BoxStake("small", 5_000), BoxStake("total-10", 1_000))),
    private.BetsWithdrawn((BoxStake("small", 2_000),), on_behalf=True),
    private.BetsRejected((BoxStake("small", 500),), "5.1.1"),
    private.RoundSettled(214),
    private.RoundVoided(214, "die-not-flat", "5.5.2"),
    private.RoundsCorrected((212, 213), given=0, taken=6_000, clause="5.6"),
    private.CreditsReceived("cage-T1-311", 100_000),
    private.CashedOut("T1-88", 105_000),
    private.SessionEnded(),
    private.OwnLimitsSet(50_000, 7_200),
    private.OwnLimitsEnded(),
    private.TerminalLost("5.3"),
    private.TerminalRestored(),
    private.TerminalFailed("5.2.1"),
    private.TerminalReturned(),
    private.SessionEndedByStaff(105_000),
    private.TerminalBarred(),
    private.BarLifted(),
    private.TerminalLocked(1_500_000),
    private.LockCleared(),
    private.WinSetAside(1_500_000),
    private.RulingRecorded("5.14"),
)
