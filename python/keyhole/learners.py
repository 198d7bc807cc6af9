"""A function for each learner of the catalogue: the spec of the algorithm, for a Learner.

Written by scripts/python-functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._text import Bare, spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

__all__ = [
    "posterior", "parameter_free", "face", "projection_free", "unregularized", "fkm", "bbcg",
    "two_point", "gauge", "online_newton", "linear_thompson", "spsa", "cma_es", "anytime",
    "restarting", "watchful", "levelled", "anchored", "ogd", "ocg", "stochastic_ocg",
    "one_shot", "stay", "random_vertex", "fed_constant",
]


def posterior(
    caution: float = 0.1,
    reach: float | None = None,
    restarts: bool = True,
    start: ArrayLike | None = None,
    contexts: Sequence[str] = (),
    choices: Sequence[str] = (),
    limits: Sequence[str] = (),
    trials: int | None = None,
) -> str:
    """the default: Thompson sampling on a model of the losses, told nothing but the set.

    Capabilities: told losses, any number of rounds.

    Parameters
    ----------
    caution : number, 1e-06 to 1000000
        what exploring may cost a round, in units of noise
    reach : number, 1e-06 to 1, default: as far as it pays
        the largest share of the way to another point
    restarts : true or false
        start again after a change
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    contexts : list of texts
        known before a play: "number", "cyclic" or "choice(4)"
    choices : list of texts
        shares of names that decide for the others, such as "0-3"
    limits : list of texts
        bounds on metrics, such as "most=200"
    trials : whole number, 1 to 9007199254740992, default: many
        about how many plays there will be, if they are few
    """
    return spec(
        "posterior",
        caution=caution,
        reach=reach,
        restarts=restarts,
        start=start,
        contexts=contexts or None,
        choices=choices or None,
        limits=limits or None,
        trials=trials,
    )


def parameter_free(
    explore_at: Literal["extreme_points", "inscribed_sphere"] = "extreme_points",
    schedule: Literal["measured", "fixed"] = "measured",
    baseline: Literal["best_predictor", "average"] = "best_predictor",
    shrinkage: bool = True,
    curvature: bool = True,
    averaging: bool = True,
    restarts: bool = False,
    clipping: bool = True,
    lateness: bool = True,
    reach: float | None = None,
    caution: float | None = None,
    start: ArrayLike | None = None,
) -> str:
    """follows the leader of estimated gradients: told nothing but the set.

    Capabilities: told losses, any number of rounds.

    Parameters
    ----------
    explore_at : one of extreme_points, inscribed_sphere
        where it explores
    schedule : one of measured, fixed
        how often and how far
    baseline : one of best_predictor, average
        what is subtracted from a loss
    shrinkage : true or false
        stay at the centre until gradients stand out from noise
    curvature : true or false
        let the leader use the measured curvature
    averaging : true or false
        average the leaders
    restarts : true or false
        start the sums of gradients again after a change
    clipping : true or false
        a loss counts for at most eight standard deviations
    lateness : true or false
        take account of how late losses come
    reach : number, 1e-06 to 1, default: as far as it pays
        the largest share of the way to an explored point
    caution : number, 1e-06 to 1000000, default: no limit
        what exploring may cost a round, in units of noise
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "parameter_free",
        explore_at=Bare(explore_at),
        schedule=Bare(schedule),
        baseline=Bare(baseline),
        shrinkage=shrinkage,
        curvature=curvature,
        averaging=averaging,
        restarts=restarts,
        clipping=clipping,
        lateness=lateness,
        reach=reach,
        caution=caution,
        start=start,
    )


def face(caution: float = 0.1, start: ArrayLike | None = None) -> str:
    """Thompson sampling in the hull of few vertices, for many dimensions.

    Capabilities: told losses, any number of rounds.

    Parameters
    ----------
    caution : number, 1e-06 to 1000000
        what exploring may cost a round, in units of noise
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec("face", caution=caution, start=start)


def projection_free(
    loss_bound: float | None = None,
    gradient_bound: float | None = None,
    horizon: int | None = None,
    c: float | None = None,
    eta: float | None = None,
    constants: Literal["corrected", "as_published"] = "corrected",
    start: ArrayLike | None = None,
) -> str:
    """Algorithm 1 of Chen, Zhang and Karbasi (2019): a linear minimisation a round.

    Capabilities: told losses, takes a horizon.

    Parameters
    ----------
    loss_bound : number, 1e-50 to 1e+50, default: the problem's
        M, the largest magnitude of a loss
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    c : number, 1e-50 to 1e+50, default: r/2
        a length, delta = c T^(-1/5)
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    constants : one of corrected, as_published
        which formulas
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "projection_free",
        loss_bound=loss_bound,
        gradient_bound=gradient_bound,
        horizon=horizon,
        c=c,
        eta=eta,
        constants=Bare(constants),
        start=start,
    )


def unregularized(
    loss_bound: float | None = None,
    gradient_bound: float | None = None,
    horizon: int | None = None,
    c: float | None = None,
    eta: float | None = None,
    constants: Literal["corrected", "as_published"] = "corrected",
    start: ArrayLike | None = None,
) -> str:
    """projection_free without its regularizer: the paper's ablation, without a bound.

    Capabilities: told losses, takes a horizon.

    Parameters
    ----------
    loss_bound : number, 1e-50 to 1e+50, default: the problem's
        M, the largest magnitude of a loss
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    c : number, 1e-50 to 1e+50, default: r/2
        a length, delta = c T^(-1/5)
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    constants : one of corrected, as_published
        which formulas
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "unregularized",
        loss_bound=loss_bound,
        gradient_bound=gradient_bound,
        horizon=horizon,
        c=c,
        eta=eta,
        constants=Bare(constants),
        start=start,
    )


def fkm(
    loss_bound: float | None = None,
    gradient_bound: float | None = None,
    horizon: int | None = None,
    constants: Literal["zhao", "textbook"] = "zhao",
    c: float | None = None,
    delta: float | None = None,
    eta: float | None = None,
    start: ArrayLike | None = None,
) -> str:
    """Flaxman, Kalai and McMahan (2005): a projection a round.

    Capabilities: told losses, takes a horizon, the set must project.

    Parameters
    ----------
    loss_bound : number, 1e-50 to 1e+50, default: the problem's
        M, the largest magnitude of a loss
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    constants : one of zhao, textbook
        which formulas
    c : number, 1e-50 to 1e+50, default: r/2
        a length, of the textbook's delta = c T^(-1/4)
    delta : number, 1e-50 to 1e+50, default: the formula
        overrides delta, for every T
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "fkm",
        loss_bound=loss_bound,
        gradient_bound=gradient_bound,
        horizon=horizon,
        constants=Bare(constants),
        c=c,
        delta=delta,
        eta=eta,
        start=start,
    )


def bbcg(
    loss_bound: float | None = None,
    gradient_bound: float | None = None,
    horizon: int | None = None,
    strong_convexity: float | None = None,
    c: float | None = None,
    eta: float | None = None,
    epsilon: float | None = None,
    start: ArrayLike | None = None,
) -> str:
    """Garber and Kretzu (2020): blocks, few linear minimisations.

    Capabilities: told losses, takes a horizon.

    Parameters
    ----------
    loss_bound : number, 1e-50 to 1e+50, default: the problem's
        M, the largest magnitude of a loss
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    strong_convexity : number, 1e-50 to 1e+50, default: none
        alpha, if losses are alpha-strongly convex
    c : number, 1e-50 to 1e+50, default: the formula
        a length, delta = c T^(-1/4)
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    epsilon : number, 1e-50 to 1e+50, default: the formula
        overrides the tolerance of leaders
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "bbcg",
        loss_bound=loss_bound,
        gradient_bound=gradient_bound,
        horizon=horizon,
        strong_convexity=strong_convexity,
        c=c,
        eta=eta,
        epsilon=epsilon,
        start=start,
    )


def two_point(
    gradient_bound: float | None = None,
    horizon: int | None = None,
    step: Literal["conditional_gradient", "gradient_descent"] = "conditional_gradient",
    delta: float | None = None,
    eta: float | None = None,
    pending_pairs: int = 1024,
    start: ArrayLike | None = None,
) -> str:
    """two plays see the same loss: gradients from their difference.

    Capabilities: told losses, takes a horizon.

    Parameters
    ----------
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    step : one of conditional_gradient, gradient_descent
        what it does with gradients
    delta : number, 1e-50 to 1e+50, default: the formula
        overrides delta, for every T
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    pending_pairs : whole number, 1 to 16777216
        how many pairs wait for a missing half
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "two_point",
        gradient_bound=gradient_bound,
        horizon=horizon,
        step=Bare(step),
        delta=delta,
        eta=eta,
        pending_pairs=pending_pairs,
        start=start,
    )


def gauge(
    loss_bound: float | None = None,
    gradient_bound: float | None = None,
    horizon: int | None = None,
    delta: float | None = None,
    eta: float | None = None,
    start: ArrayLike | None = None,
) -> str:
    """descent on a ball, lifted by the gauge (Mhammedi 2022): a gauge a round.

    Capabilities: told losses, takes a horizon, the set must have a gauge.

    Parameters
    ----------
    loss_bound : number, 1e-50 to 1e+50, default: the problem's
        M, the largest magnitude of a loss
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    delta : number, 1e-50 to 1e+50, default: the formula
        overrides delta, for every T
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "gauge",
        loss_bound=loss_bound,
        gradient_bound=gradient_bound,
        horizon=horizon,
        delta=delta,
        eta=eta,
        start=start,
    )


def online_newton(
    gradient_bound: float | None = None,
    horizon: int | None = None,
    radius: float | None = None,
    eta: float | None = None,
    lambda_: float | None = None,
    penalty: float = 3,
    start: ArrayLike | None = None,
) -> str:
    """Lattimore and Gyorgy (2023), brought into the set by its gauge: up to 64 dimensions.

    Capabilities: told losses, takes a horizon.

    Parameters
    ----------
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    radius : number, 1e-50 to 1e+50, default: R or more
        rho, how far the best point is from the start
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    lambda_ : number, 1e-50 to 1e+50, default: 1/n
        the weight of the curvature
    penalty : number, 0 to 1e+50
        of the gauge outside the set, in multiples of G R
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "online_newton",
        gradient_bound=gradient_bound,
        horizon=horizon,
        radius=radius,
        eta=eta,
        **{"lambda": lambda_},
        penalty=penalty,
        start=start,
    )


def linear_thompson(start: ArrayLike | None = None) -> str:
    """Thompson sampling for linear losses (Agrawal, Goyal 2013): a baseline.

    Capabilities: told losses, any number of rounds.

    Parameters
    ----------
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec("linear_thompson", start=start)


def spsa(pending_pairs: int = 1024, start: ArrayLike | None = None) -> str:
    """simultaneous perturbation stochastic approximation (Spall 1992): a baseline.

    Capabilities: told losses, any number of rounds, the set must project.

    Parameters
    ----------
    pending_pairs : whole number, 1 to 16777216
        how many pairs wait for a missing half
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec("spsa", pending_pairs=pending_pairs, start=start)


def cma_es(start: ArrayLike | None = None) -> str:
    """separable CMA-ES (Ros, Hansen 2008): a baseline.

    Capabilities: told losses, any number of rounds, the set must project.

    Parameters
    ----------
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec("cma_es", start=start)


def anytime(learner: str) -> str:
    """the doubling trick around a learner that takes a horizon.

    Capabilities: any number of rounds.

    Parameters
    ----------
    learner : spec of a learner
        a learner that takes a horizon
    """
    return spec("anytime", learner=Bare(learner))


def restarting(learner: str, every: int) -> str:
    """restarts a learner every so many rounds, for losses that drift.

    Capabilities: any number of rounds.

    Parameters
    ----------
    learner : spec of a learner
        a learner; one that takes a horizon gets the window
    every : whole number, 1 to 9007199254740992
        W, the rounds of a window
    """
    return spec("restarting", learner=Bare(learner), every=every)


def watchful(learner: str) -> str:
    """restarts a learner when it no longer clearly beats the centre, for losses that drift.

    Capabilities: told losses, any number of rounds.

    Parameters
    ----------
    learner : spec of a learner
        a learner for any number of rounds
    """
    return spec("watchful", learner=Bare(learner))


def levelled(learner: str, contexts: Sequence[str] = ()) -> str:
    """tells a learner its losses less what a regression on the context says of them.

    Capabilities: told losses.

    Parameters
    ----------
    learner : spec of a learner
        a learner that takes no contexts
    contexts : list of texts
        known before a play: "number", "cyclic" or "choice(4)"
    """
    return spec("levelled", learner=Bare(learner), contexts=contexts or None)


def anchored(learner: str, anchors: int) -> str:
    """a learner for a point at each of some values of a number, its context, and plays between.

    Capabilities: told losses.

    Parameters
    ----------
    learner : spec of a learner
        a learner that takes no contexts
    anchors : whole number, 2 to 1024
        J, how many points
    """
    return spec("anchored", learner=Bare(learner), anchors=anchors)


def ogd(gradient_bound: float | None = None, start: ArrayLike | None = None) -> str:
    """online gradient descent (Zinkevich 2003): a projection a round.

    Capabilities: told gradients, any number of rounds, the set must project.

    Parameters
    ----------
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec("ogd", gradient_bound=gradient_bound, start=start)


def ocg(
    gradient_bound: float | None = None,
    horizon: int | None = None,
    eta: float | None = None,
    constants: Literal["classic", "optimized"] = "classic",
    start: ArrayLike | None = None,
) -> str:
    """online conditional gradient (Hazan 2022): a linear minimisation a round.

    Capabilities: told gradients, takes a horizon.

    Parameters
    ----------
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    constants : one of classic, optimized
        which formulas
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "ocg",
        gradient_bound=gradient_bound,
        horizon=horizon,
        eta=eta,
        constants=Bare(constants),
        start=start,
    )


def stochastic_ocg(
    gradient_bound: float | None = None,
    standard_deviation: float | None = None,
    horizon: int | None = None,
    eta: float | None = None,
    start: ArrayLike | None = None,
) -> str:
    """ocg that sees its gradients with Gaussian noise: the paper's StochOCG.

    Capabilities: told gradients, takes a horizon.

    Parameters
    ----------
    gradient_bound : number, 1e-50 to 1e+50, default: the problem's
        G, the largest norm of a gradient
    standard_deviation : number, 0 to 1e+50, default: the dimension of the hull
        of the noise in every direction
    horizon : whole number, 1 to 9007199254740992, default: the run's
        T, the number of rounds; anytime chooses its own
    eta : number, 1e-50 to 1e+50, default: the formula
        overrides eta, for every T
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "stochastic_ocg",
        gradient_bound=gradient_bound,
        standard_deviation=standard_deviation,
        horizon=horizon,
        eta=eta,
        start=start,
    )


def one_shot(
    loss_bound: float | None = None,
    gradient_deviation: float | None = None,
    smoothness: float | None = None,
    start_gradient: float | None = None,
    start: ArrayLike | None = None,
) -> str:
    """one-shot Frank-Wolfe (Chen, Harshaw, Hassani, Karbasi 2018): for independent losses.

    Capabilities: told gradients, any number of rounds.

    Parameters
    ----------
    loss_bound : number, 0 to 1e+50, default: the problem's
        M, the largest magnitude of a loss
    gradient_deviation : number, 0 to 1e+50, default: the problem's G
        of a gradient from its mean; for the bound
    smoothness : number, 0 to 1e+50, default: none: no bound
        L, of the mean loss; for the bound
    start_gradient : number, 0 to 1e+50, default: the problem's G
        the norm at x_1; for the bound
    start : number, or one for each coordinate, -1e+50 to 1e+50, default: the centre
        x_1, a point of the set
    """
    return spec(
        "one_shot",
        loss_bound=loss_bound,
        gradient_deviation=gradient_deviation,
        smoothness=smoothness,
        start_gradient=start_gradient,
        start=start,
    )


def stay() -> str:
    """a control: plays the centre in every round.

    Capabilities: does not learn, any number of rounds.
    """
    return spec("stay")


def random_vertex() -> str:
    """a control: plays a random vertex in every round.

    Capabilities: does not learn, any number of rounds.
    """
    return spec("random_vertex")


def fed_constant(learner: str, value: float | None = None) -> str:
    """a control: a learner that is told a constant instead of its losses.

    Capabilities: does not learn.

    Parameters
    ----------
    learner : spec of a learner
        a learner that is told losses
    value : number, -1e+50 to 1e+50, default: half of the learner's loss bound, or 1
        the constant
    """
    return spec("fed_constant", learner=Bare(learner), value=value)
