"""Keyhole: bandit convex optimisation with a linear minimisation oracle.

Each round you choose a point of a convex set, see one number, and do nearly as well as the best
fixed point in hindsight.

    >>> import keyhole as kh
    >>> learner = kh.Learner(kh.simplex(3), seed=7)
    >>> for _ in range(10_000):
    ...     play = learner.ask()                  # a point of the set
    ...     _ = learner.tell(play, play.point @ [0.2, 0.9, 0.6])  # what it cost
    >>> x = learner.recommend()                   # the point to deploy
"""

from ._keyhole import _require_main_interpreter

_require_main_interpreter()

from . import _calls, _keyhole

_calls.adopt(_keyhole)

from . import learners, problems, sets, testing
from ._algorithms import Algorithm
from ._bench import Task, bench
from ._catalogue import Catalogue
from ._experiments import Experiment
from ._keyhole import (
    Belief, Choice, Clock, Cyclic, Error, FeedbackError, Fixed, Geometry, GradientLearner, InputError, Integer,
    InvalidArgument, Learner, Levels, Limit, LimitStatus, Number, Play, Plays, Proof, Randomness, RegretBound, Set, Shares, Space,
    SpecError, StateError, Status, StudyError, Summary, __version__, catalogue, own_set, trace_revision,
)
from ._minimize import Result, Seen, minimize
from ._problems import Problem
from ._results import Results, read_results
from ._service import Service, ServiceError, connect
from ._studies import (
    DeletedStudy, FoundStudy, FrontPoint, Label, PastReceipt, Store, StoreCopy, Study, StudyChange, create,
)
from ._studies import open as open
from ._submodular import submodular_bases
from .sets import *  # noqa: F403
from .sets import slice as slice

__all__ = [
    "Algorithm", "Belief", "Catalogue", "Choice", "Clock", "Cyclic", "DeletedStudy", "Error", "Experiment",
    "FeedbackError", "Fixed", "FoundStudy", "FrontPoint", "Geometry", "GradientLearner",
    "InputError", "Integer", "InvalidArgument", "Label", "Learner", "Levels", "Limit", "LimitStatus", "Number",
    "PastReceipt", "Play", "Plays", "Problem", "Proof", "Randomness", "RegretBound", "Result",
    "Results", "Seen", "Service", "ServiceError", "Set", "Shares", "Space", "SpecError",
    "StateError", "Status", "Store", "StoreCopy", "Study", "StudyChange", "StudyError", "Summary", "Task", "__version__",
    "bench", "catalogue", "choice", "clock", "connect", "create", "cyclic", "fixed", "integer", "learners",
    "levels", "limit",
    "minimize", "number", "own_set", "problems", "read_results", "sets", "shares",
    "submodular_bases", "testing", "trace_revision",
]
__all__ += sets.__all__
# kh.open and kh.slice: `from keyhole import *` must not take Python's own away.
__all__.remove("slice")

number = Number
integer = Integer
choice = Choice
shares = Shares
levels = Levels
fixed = Fixed
cyclic = Cyclic
clock = Clock
limit = Limit

for _type in (Choice, Clock, Cyclic, Fixed, GradientLearner, Integer, Learner, Levels, Limit, Number,
              Randomness, Set, Shares, Space):
    _type.__module__ = "keyhole"
del _type
