from taisai.core.kernel.messages import LimitsAsked as LimitsAsked
from taisai.core.rules.bets import Bet as Bet
from taisai.core.rules.dice import result_of as result_of
from taisai.core.rules.limits import set_limits as set_limits
from taisai.core.rules.proof import RulebookError as RulebookError
from taisai.core.rules.reason import Refusal as Refusal
from taisai.core.rules.rulebook import read_rulebook as read_rulebook
from taisai.core.rules.settlement import Settlement as Settlement
from taisai.core.rules.settlement import settle as settle
from taisai.rulebooks import pay_table as pay_table
from taisai.rulebooks import rulebook as rulebook
from taisai.wording import say as say

__version__: str
