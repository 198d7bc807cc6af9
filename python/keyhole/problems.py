"""A function for each problem of the catalogue: its spec, for an Experiment.

A set may be given by its spec too, such as one of a Catalogue of yours. Written by
scripts/python-functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._text import Bare, named, spec, unless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from ._keyhole import Set

__all__ = [
    "quadratic", "portfolio", "completion", "tracking", "separable", "contextual",
    "regression", "linear", "alternating", "max_affine", "curved", "thin", "road_grid",
    "lognormal_market", "routing", "latency", "replay", "observed",
]


def quadratic(n: int = 50, rows: int = 8) -> str:
    """the paper's quadratic programming: 1/2 ||G_t x||^2 + w_t . x on a random polytope.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    n : whole number, 1 to 4096
        the number of coordinates
    rows : whole number, 0 to 4096
        the number of inequalities
    """
    return spec("quadratic", n=unless(n, 50), rows=unless(rows, 8))


def portfolio(
    region: Literal["simplex", "enlarged"] = "simplex",
    prices: str | None = None,
    relatives: bool = False,
    from_: str | None = None,
    to: str | None = None,
    n: int = 0,
    tickers: Sequence[str] = (),
) -> str:
    """the growth of a portfolio: -log(r_t . x), r_t the price relatives of day t.

    Capabilities: read from a file, drawn from the seed.

    Parameters
    ----------
    region : one of simplex, enlarged
        the set
    prices : text, default: a synthetic market
        a CSV file of closing prices
    relatives : true or false
        whether the file holds price relatives
    from_ : text, default: the file's first
        the first day, as in the file
    to : text, default: the file's last
        the last day, as in the file
    n : whole number, 0 to 100000000
        how many tickers are drawn, 0 for all
    tickers : list of texts
        names of tickers, instead of drawing
    """
    return spec(
        "portfolio",
        region=unless(Bare(region), "simplex"),
        prices=prices,
        relatives=unless(relatives, False),
        **{"from": from_},
        to=to,
        n=unless(n, 0),
        tickers=unless(tickers, ()),
    )


def completion(
    n: int = 20,
    k: int = 18,
    region: Literal["nuclear", "symmetric", "psd"] = "nuclear",
) -> str:
    """the paper's matrix completion: 1/2 sum of (X - N_t' N_t)_ij^2 over the entries seen.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    n : whole number, 2 to 4096
        the number of rows and columns
    k : whole number, 1 to 4096
        the rank of N_t' N_t, and the size of the set
    region : one of nuclear, symmetric, psd
        the set
    """
    return spec(
        "completion",
        n=unless(n, 20),
        k=unless(k, 18),
        region=unless(Bare(region), "nuclear"),
    )


def tracking(
    set: Set | str,
    distance: float = 0.6,
    jitter: float = 0.3,
    offset: float = 0,
    noise: float = 0,
    tails: Literal["normal", "student", "cauchy", "lognormal"] = "normal",
    flip: int = 0,
    stage: int = 0,
) -> str:
    """follow a target that jitters: 1/2 ||x - theta_t||^2 + offset + noise.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    distance : number, 0 to 1e+50
        of the target from the centre, in inner radii
    jitter : number, 0 to 1e+50
        of the target, in inner radii
    offset : number, -1e+50 to 1e+50
        what is added to every loss
    noise : number, 0 to 1e+50
        the standard deviation of what is added
    tails : one of normal, student, cauchy, lognormal
        the law of the noise
    flip : whole number, 0 to 9007199254740992
        rounds until the target changes sides, 0 for never
    stage : whole number, 0 to 9007199254740992
        rounds until the target moves anywhere, 0 for never
    """
    return spec(
        "tracking",
        named(set),
        distance=unless(distance, 0.6),
        jitter=unless(jitter, 0.3),
        offset=unless(offset, 0),
        noise=unless(noise, 0),
        tails=unless(Bare(tails), "normal"),
        flip=unless(flip, 0),
        stage=unless(stage, 0),
    )


def separable(
    set: Set | str,
    power: int = 1,
    inner: float = 1,
    corners: bool = False,
    scaled: bool = False,
    steepness: float = 0,
    turn: int = 0,
    noise: float = 0,
    tails: Literal["normal", "student", "cauchy", "lognormal"] = "normal",
) -> str:
    """sums over coordinates: |x_i - c_i|^power / power, with noise.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    power : whole number, 1 to 2
        1 for magnitudes, 2 for squares
    inner : number, 0 to 1e+50
        how far the c_i spread, in half ranges
    corners : true or false
        whether the c_i are at the ends of that
    scaled : true or false
        whether differences are in ranges of the set
    steepness : number, 0 to 500
        s of exp(s d) - s d, 0 for powers
    turn : whole number, 0 to 9007199254740992
        rounds in which the c_i go round, 0 if they stay
    noise : number, 0 to 1e+50
        the standard deviation of what is added
    tails : one of normal, student, cauchy, lognormal
        the law of the noise
    """
    return spec(
        "separable",
        named(set),
        power=unless(power, 1),
        inner=unless(inner, 1),
        corners=unless(corners, False),
        scaled=unless(scaled, False),
        steepness=unless(steepness, 0),
        turn=unless(turn, 0),
        noise=unless(noise, 0),
        tails=unless(Bare(tails), "normal"),
    )


def contextual(
    scene: Literal["prices", "loads", "hours", "weekdays", "routes", "targets"] = "prices",
    noise: float = 0.3,
    change: int = 0,
    numbers: int = 5,
    moving: int = 0,
    shift: float = 0,
) -> str:
    """what is best depends on what is known: segments, loads, weekdays.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    scene : one of prices, loads, hours, weekdays, routes, targets
        what it is about, and what is known
    noise : number, 0 to 1e+50
        the standard deviation of what is added
    change : whole number, 0 to 9007199254740992
        of prices: rounds until customers are others
    numbers : whole number, 1 to 1000
        of targets: how many numbers are known
    moving : whole number, 0 to 1000
        of targets: how many of them move the point
    shift : number, -1e+50 to 1e+50
        of targets: what the first adds, times itself
    """
    return spec(
        "contextual",
        scene=unless(Bare(scene), "prices"),
        noise=unless(noise, 0.3),
        change=unless(change, 0),
        numbers=unless(numbers, 5),
        moving=unless(moving, 0),
        shift=unless(shift, 0),
    )


def regression(set: Set | str, noise: float = 0.3, bounded: bool = False, stage: int = 0) -> str:
    """least squares, a sample a round: 1/2 (a_t . x - b_t)^2.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    noise : number, 0 to 1e+50
        the standard deviation of b_t
    bounded : true or false
        whether a_t is uniform in the unit ball
    stage : whole number, 0 to 9007199254740992
        rounds until theta moves anywhere, 0 for never
    """
    return spec(
        "regression",
        named(set),
        noise=unless(noise, 0.3),
        bounded=unless(bounded, False),
        stage=unless(stage, 0),
    )


def linear(
    set: Set | str,
    file: str | None = None,
    spread: float = 0.3,
    noise: float = 0.2,
    mean: float = 0,
    flip: int = 0,
    stage: int = 0,
    added: float = 0,
    tails: Literal["normal", "student", "cauchy", "lognormal"] = "normal",
) -> str:
    """costs that are linear: c_t . x, from a file or drawn.

    Capabilities: read from a file, drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    file : text, default: costs are drawn
        a CSV file of cost vectors
    spread : number, 0 to 1e+50
        the standard deviation of a mean cost
    noise : number, 0 to 1e+50
        the standard deviation about it
    mean : number, -1e+50 to 1e+50
        what is added to every mean cost
    flip : whole number, 0 to 9007199254740992
        rounds until mu is mirrored about the mean, 0 for never
    stage : whole number, 0 to 9007199254740992
        rounds until mu is drawn again, 0 for never
    added : number, 0 to 1e+50
        the standard deviation of what is added
    tails : one of normal, student, cauchy, lognormal
        the law of the noise
    """
    return spec(
        "linear",
        named(set),
        file=file,
        spread=unless(spread, 0.3),
        noise=unless(noise, 0.2),
        mean=unless(mean, 0),
        flip=unless(flip, 0),
        stage=unless(stage, 0),
        added=unless(added, 0),
        tails=unless(Bare(tails), "normal"),
    )


def alternating(
    set: Set | str,
    offset: float = 5,
    spread: float = 0.2,
    swing: float = 1,
    wave: Literal["signs", "cosine", "square", "coins", "walk"] = "signs",
    period: int = 100,
) -> str:
    """costs that swing: +-offset + (mu +- h) . x, the signs in turn.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    offset : number, 0 to 1e+50
        the magnitude of the constant
    spread : number, 0 to 1e+50
        the standard deviation of a mean cost
    swing : number, 0 to 1e+50
        the standard deviation of what alternates
    wave : one of signs, cosine, square, coins, walk
        how it swings
    period : whole number, 2 to 1000000
        of cosines and square waves, in rounds
    """
    return spec(
        "alternating",
        named(set),
        offset=unless(offset, 5),
        spread=unless(spread, 0.2),
        swing=unless(swing, 1),
        wave=unless(Bare(wave), "signs"),
        period=unless(period, 100),
    )


def max_affine(
    set: Set | str,
    kinks: Literal["coordinates", "growing", "pair", "drawn"] = "coordinates",
    slope: float = 0,
    pieces: int = 20,
    distance: float = 0.6,
    noise: float = 0,
    tails: Literal["normal", "student", "cauchy", "lognormal"] = "normal",
) -> str:
    """kinks that tie coordinates: max of affine functions, with noise.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    kinks : one of coordinates, growing, pair, drawn
        the pieces
    slope : number, -1e+50 to 1e+50
        what is taken off for each unit of x
    pieces : whole number, 1 to 10000
        how many a_k are drawn
    distance : number, 0 to 1e+50
        of theta from the centre, in inner radii
    noise : number, 0 to 1e+50
        the standard deviation of what is added
    tails : one of normal, student, cauchy, lognormal
        the law of the noise
    """
    return spec(
        "max_affine",
        named(set),
        kinks=unless(Bare(kinks), "coordinates"),
        slope=unless(slope, 0),
        pieces=unless(pieces, 20),
        distance=unless(distance, 0.6),
        noise=unless(noise, 0),
        tails=unless(Bare(tails), "normal"),
    )


def curved(
    set: Set | str,
    axes: Literal["aligned", "rotated", "chain"] = "rotated",
    condition: float = 100,
    distance: float = 0.6,
    noise: float = 0,
    tails: Literal["normal", "student", "cauchy", "lognormal"] = "normal",
) -> str:
    """different curvatures: 1/2 (x - theta)' H (x - theta), with noise.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    set : set
        the set
    axes : one of aligned, rotated, chain
        along what
    condition : number, 1 to 1000000000000
        the largest curvature over the least
    distance : number, 0 to 1e+50
        of theta from the centre, in inner radii
    noise : number, 0 to 1e+50
        the standard deviation of what is added
    tails : one of normal, student, cauchy, lognormal
        the law of the noise
    """
    return spec(
        "curved",
        named(set),
        axes=unless(Bare(axes), "rotated"),
        condition=unless(condition, 100),
        distance=unless(distance, 0.6),
        noise=unless(noise, 0),
        tails=unless(Bare(tails), "normal"),
    )


def thin(
    n: int = 20,
    region: Literal["box", "ellipsoid", "band"] = "box",
    thinness: float = 0.01,
    rotated: bool = True,
    losses: Literal["linear", "quadratic"] = "linear",
    noise: float = 0.1,
) -> str:
    """sets that are thin in directions that no coordinate shows.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    n : whole number, 2 to 1000
        the number of coordinates
    region : one of box, ellipsoid, band
        the set
    thinness : number, 0.001 to 1
        of half of the directions
    rotated : true or false
        whether no coordinate is thin
    losses : one of linear, quadratic
        which
    noise : number, 0 to 1e+50
        that of the losses
    """
    return spec(
        "thin",
        n=unless(n, 20),
        region=unless(Bare(region), "box"),
        thinness=unless(thinness, 0.01),
        rotated=unless(rotated, True),
        losses=unless(Bare(losses), "linear"),
        noise=unless(noise, 0.1),
    )


def road_grid(
    rows: int = 4,
    columns: int = 4,
    two_way: bool = True,
    spread: float = 0.3,
    noise: float = 0.2,
    mean: float = 1,
) -> str:
    """costs of the links of a grid of roads, from end to end.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    rows : whole number, 2 to 60
        crossings from north to south
    columns : whole number, 2 to 60
        crossings from east to west
    two_way : true or false
        whether links go both ways
    spread : number, 0 to 1e+50
        the standard deviation of a mean cost
    noise : number, 0 to 1e+50
        the standard deviation about it
    mean : number, -1e+50 to 1e+50
        what is added to every mean cost
    """
    return spec(
        "road_grid",
        rows=unless(rows, 4),
        columns=unless(columns, 4),
        two_way=unless(two_way, True),
        spread=unless(spread, 0.3),
        noise=unless(noise, 0.2),
        mean=unless(mean, 1),
    )


def lognormal_market(n: int = 20) -> str:
    """the growth of a portfolio in a made-up market with one good stock.

    Capabilities: drawn from the seed.

    Parameters
    ----------
    n : whole number, 2 to 100000
        the number of stocks
    """
    return spec("lognormal_market", n=unless(n, 20))


def routing(
    edges: str,
    demand: str,
    paths: int = 4,
    demands: int = 20,
    unit: float = 0.0026666666666666666,
) -> str:
    """traffic split over paths: the utilisation of the fullest link.

    Capabilities: read from a file.

    Parameters
    ----------
    edges : text
        a CSV file of links
    demand : text
        a CSV file of traffic, a column a pair of nodes
    paths : whole number, 2 to 1000
        over how many a demand is split
    demands : whole number, 1 to 100000
        how many, the largest, are split
    unit : number, 1e-50 to 1e+50
        kbit/s that 1 is in the traffic
    """
    return spec(
        "routing",
        edges,
        demand,
        paths=unless(paths, 4),
        demands=unless(demands, 20),
        unit=unless(unit, 0.0026666666666666666),
    )


def latency(file: str, nodes: int = 60, share: float = 0.5) -> str:
    """completion of a matrix of round trip times: mean of 1/2 (X - N)_ij^2 over entries seen.

    Capabilities: read from a file, drawn from the seed.

    Parameters
    ----------
    file : text
        a CSV file of round trip times, a row a pair
    nodes : whole number, 2 to 4096
        how many nodes are drawn
    share : number, 1e-50 to 1e+50
        of N's trace norm, the radius
    """
    return spec("latency", file, nodes=unless(nodes, 60), share=unless(share, 0.5))


def replay(file: str, set: Set | str | None = None) -> str:
    """logged losses of every alternative, mixtures of which are played.

    Capabilities: read from a file.

    Parameters
    ----------
    file : text
        a CSV file of losses, a column an alternative
    set : set, default: simplex(n)
        the set
    """
    return spec("replay", file, set=named(set))


def observed(
    problem: str,
    noise: float = 0,
    tails: Literal["normal", "student", "cauchy", "lognormal"] = "normal",
    level: Literal["none", "trend", "season", "jumps", "walk"] = "none",
    size: float = 10,
    period: int = 1000,
    outcomes: Literal["losses", "clicks", "disasters"] = "losses",
    rate: float = 0.05,
    large: float = 30,
) -> str:
    """a problem seen as in the world: noise, levels that move, rare events.

    Capabilities: read from a file, drawn from the seed.

    Parameters
    ----------
    problem : spec of a problem
        whose losses are seen
    noise : number, 0 to 1e+50
        the standard deviation of what is added
    tails : one of normal, student, cauchy, lognormal
        the law of the noise
    level : one of none, trend, season, jumps, walk
        how the level moves
    size : number, -1e+50 to 1e+50
        how far, in units of the noise
    period : whole number, 1 to 1000000000
        in how many rounds
    outcomes : one of losses, clicks, disasters
        what is told
    rate : number, 1e-06 to 1
        of clicks at the centre, or of disasters
    large : number, 1e-50 to 1e+50
        a disaster, in losses of the centre
    """
    return spec(
        "observed",
        Bare(problem),
        noise=unless(noise, 0),
        tails=unless(Bare(tails), "normal"),
        level=unless(Bare(level), "none"),
        size=unless(size, 10),
        period=unless(period, 1000),
        outcomes=unless(Bare(outcomes), "losses"),
        rate=unless(rate, 0.05),
        large=unless(large, 30),
    )
