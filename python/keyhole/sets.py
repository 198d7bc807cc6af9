"""A function for each set of the catalogue. Written by scripts/python-functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._keyhole import Set
from ._text import set_spec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "ball", "box", "solid_simplex", "simplex", "l1_ball", "polytope", "lp_ball",
    "k_sparse_ball", "k_support_ball", "k_norm_ball", "owl_ball", "group_ball",
    "latent_group_ball", "ellipsoid", "total_variation_ball", "ball_in_box", "l1_ball_in_box",
    "cut_ball", "hypercube", "hypersimplex", "solid_hypersimplex", "weighted_simplex",
    "capped_simplex", "knapsack", "permutahedron", "isotonic", "partial_order", "kl_ball",
    "chi_square_ball", "hellinger_ball", "tv_distance_ball", "wasserstein_ball",
    "discounted_occupancy", "episodic_occupancy", "birkhoff", "transportation", "convex_hull",
    "uniform_matroid", "partition_matroid", "laminar_matroid", "graphic_matroid",
    "spanning_trees", "common_independent_sets", "cut_bases", "coverage_bases", "unit_flow",
    "path_splits", "flow", "multicommodity_flow", "bipartite_matchings", "b_matchings",
    "matchings", "perfect_matchings", "arborescences", "nuclear_ball",
    "symmetric_nuclear_ball", "psd_trace_ball", "spectraplex", "fantope", "operator_norm_ball",
    "schatten_ball", "elliptope", "max_norm_ball", "image", "scaled", "translated",
    "affine_image", "product", "minkowski_sum", "hull_of_union", "recentred", "intersection",
    "slice", "cut",
]


def ball(n: int, radius: float = 1) -> Set:
    """{x : ||x|| <= radius}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    radius : number, 1e-50 to 1e+50
        the radius
    """
    return Set(*set_spec("ball", n=n, radius=radius))


def box(lower: ArrayLike, upper: ArrayLike, n: int | None = None) -> Set:
    """{x : lower <= x <= upper}.

    Capabilities: projects.

    Parameters
    ----------
    lower : number, or one for each coordinate, -1e+50 to 1e+50
        the lower bounds
    upper : number, or one for each coordinate, -1e+50 to 1e+50
        the upper bounds
    n : whole number, 1 to 100000000, default: the length of the lists
        the number of coordinates
    """
    return Set(*set_spec("box", lower=lower, upper=upper, n=n))


def solid_simplex(n: int, total: float = 1) -> Set:
    """{x >= 0, sum x <= total}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    total : number, 1e-50 to 1e+50
        the largest sum
    """
    return Set(*set_spec("solid_simplex", n=n, total=total))


def simplex(n: int, total: float = 1) -> Set:
    """{x >= 0, sum x = total}.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 2 to 100000000
        the number of coordinates
    total : number, 1e-50 to 1e+50
        the sum
    """
    return Set(*set_spec("simplex", n=n, total=total))


def l1_ball(n: int, radius: float = 1) -> Set:
    """{x : |x_1| + ... + |x_n| <= radius}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    radius : number, 1e-50 to 1e+50
        the largest sum of magnitudes
    """
    return Set(*set_spec("l1_ball", n=n, radius=radius))


def polytope(
    n: int | None = None,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    A: ArrayLike = (),
    b: ArrayLike = (),
    C: ArrayLike = (),
    d: ArrayLike = (),
    file: str | None = None,
    sha256: str | None = None,
) -> Set:
    """{x : lower <= x <= upper, A x <= b, C x = d}, given by its rows or by a file.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 10000, default: the file's
        the number of coordinates
    lower : number, or one for each coordinate, default: none
        lower bounds, inf allowed
    upper : number, or one for each coordinate, default: none
        upper bounds, inf allowed
    A : list of lists of numbers
        the rows of the inequalities
    b : list of numbers
        their right hand sides
    C : list of lists of numbers
        the rows of the equalities
    d : list of numbers
        their right hand sides
    file : text, default: none
        an MPS, LP or CSV file, whose constraints it has
    sha256 : text, default: any
        what the file's digest must be
    """
    return Set(*set_spec(
        "polytope",
        n=n,
        lower=lower,
        upper=upper,
        A=A,
        b=b,
        C=C,
        d=d,
        file=file,
        sha256=sha256,
    ))


def lp_ball(n: int, p: float, radius: float = 1, weights: ArrayLike = 1) -> Set:
    """{x : sum (w_i |x_i|)^p <= radius^p}, 1 <= p <= inf.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    p : number, 1 to inf
        the power, inf allowed
    radius : number, 1e-50 to 1e+50
        the radius
    weights : number, or one for each coordinate, 1e-50 to 1e+50
        the weights w_i
    """
    return Set(*set_spec("lp_ball", n=n, p=p, radius=radius, weights=weights))


def k_sparse_ball(n: int, k: int, radius: float = 1) -> Set:
    """{x : |x_i| <= radius, sum |x_i| <= k radius}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    k : whole number, 1 to 100000000
        the number of entries of a vertex, up to n
    radius : number, 1e-50 to 1e+50
        the largest magnitude of a coordinate
    """
    return Set(*set_spec("k_sparse_ball", n=n, k=k, radius=radius))


def k_support_ball(n: int, k: int, radius: float = 1) -> Set:
    """the hull of {x : ||x|| <= radius, at most k x_i are not 0}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    k : whole number, 1 to 100000000
        how many are not 0, up to n
    radius : number, 1e-50 to 1e+50
        the largest length
    """
    return Set(*set_spec("k_support_ball", n=n, k=k, radius=radius))


def k_norm_ball(n: int, k: int, radius: float = 1) -> Set:
    """{x : the k largest |x_i| sum to at most radius}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    k : whole number, 1 to 100000000
        how many magnitudes are summed, up to n
    radius : number, 1e-50 to 1e+50
        their largest sum
    """
    return Set(*set_spec("k_norm_ball", n=n, k=k, radius=radius))


def owl_ball(weights: ArrayLike, radius: float = 1) -> Set:
    """{x : sum w_k |x|_(k) <= radius}, the magnitudes in falling order.

    Capabilities: projects.

    Parameters
    ----------
    weights : list of numbers, 0 to 1e+50
        w_1 >= ... >= w_n >= 0
    radius : number, 1e-50 to 1e+50
        the largest value of the norm
    """
    return Set(*set_spec("owl_ball", weights=weights, radius=radius))


def group_ball(sizes: ArrayLike, radius: float = 1) -> Set:
    """{x : ||x_1|| + ... + ||x_m|| <= radius}, x_g the coordinates of group g.

    Capabilities: projects.

    Parameters
    ----------
    sizes : list of numbers, 1 to 100000000
        the number of coordinates of each group
    radius : number, 1e-50 to 1e+50
        the largest sum of the lengths
    """
    return Set(*set_spec("group_ball", sizes=sizes, radius=radius))


def latent_group_ball(groups: ArrayLike, radius: float = 1) -> Set:
    """the hull of {x : ||x|| <= radius, x_i = 0 outside group g} over the groups.

    Capabilities: membership by separation.

    Parameters
    ----------
    groups : list of lists of numbers, 0 to 100000000
        the coordinates of each group, from 0 on
    radius : number, 1e-50 to 1e+50
        the largest sum of the lengths
    """
    return Set(*set_spec("latent_group_ball", groups=groups, radius=radius))


def ellipsoid(matrix: ArrayLike, centre: ArrayLike = 0) -> Set:
    """{x : (x - c)' A (x - c) <= 1}, A positive definite.

    Capabilities: projects.

    Parameters
    ----------
    matrix : list of lists of numbers, -1e+50 to 1e+50
        the rows of A
    centre : number, or one for each coordinate, -1e+50 to 1e+50
        c
    """
    return Set(*set_spec("ellipsoid", matrix=matrix, centre=centre))


def total_variation_ball(n: int, radius: float = 1) -> Set:
    """{x : sum |x_{i+1} - x_i| <= radius, sum x = 0}.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 2 to 100000000
        the number of coordinates
    radius : number, 1e-50 to 1e+50
        the largest total variation
    """
    return Set(*set_spec("total_variation_ball", n=n, radius=radius))


def ball_in_box(
    lower: ArrayLike,
    upper: ArrayLike,
    n: int | None = None,
    radius: float = 1,
    centre: ArrayLike = 0,
) -> Set:
    """{lower <= x <= upper, ||x - c|| <= radius}.

    Capabilities: projects.

    Parameters
    ----------
    lower : number, or one for each coordinate, -1e+50 to 1e+50
        the lower bounds
    upper : number, or one for each coordinate, -1e+50 to 1e+50
        the upper bounds
    n : whole number, 1 to 100000000, default: the length of the lists
        the number of coordinates
    radius : number, 1e-50 to 1e+50
        the radius of the ball
    centre : number, or one for each coordinate, -1e+50 to 1e+50
        c
    """
    return Set(*set_spec(
        "ball_in_box",
        lower=lower,
        upper=upper,
        n=n,
        radius=radius,
        centre=centre,
    ))


def l1_ball_in_box(
    lower: ArrayLike,
    upper: ArrayLike,
    n: int | None = None,
    radius: float = 1,
) -> Set:
    """{lower <= x <= upper, |x_1| + ... + |x_n| <= radius}, lower <= 0 <= upper.

    Capabilities: projects.

    Parameters
    ----------
    lower : number, or one for each coordinate, -1e+50 to 1e+50
        the lower bounds
    upper : number, or one for each coordinate, -1e+50 to 1e+50
        the upper bounds
    n : whole number, 1 to 100000000, default: the length of the lists
        the number of coordinates
    radius : number, 1e-50 to 1e+50
        the largest sum of magnitudes
    """
    return Set(*set_spec("l1_ball_in_box", lower=lower, upper=upper, n=n, radius=radius))


def cut_ball(
    normal: ArrayLike,
    offset: float = 0,
    radius: float = 1,
    centre: ArrayLike = 0,
) -> Set:
    """{||x - c|| <= radius, <normal, x> <= offset}.

    Capabilities: projects.

    Parameters
    ----------
    normal : list of numbers, -1e+50 to 1e+50
        the normal of the plane
    offset : number, -1e+50 to 1e+50
        the largest <normal, x>
    radius : number, 1e-50 to 1e+50
        the radius of the ball
    centre : number, or one for each coordinate, -1e+50 to 1e+50
        c
    """
    return Set(*set_spec("cut_ball", normal=normal, offset=offset, radius=radius, centre=centre))


def hypercube(n: int) -> Set:
    """{0 <= x <= 1}, the box of these bounds.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    """
    return Set(*set_spec("hypercube", n=n))


def hypersimplex(n: int, k: int, size: float = 1) -> Set:
    """{0 <= x <= size, sum x = k size}: k of n things.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 2 to 100000000
        the number of coordinates
    k : whole number, 1 to 100000000
        how many are chosen, less than n
    size : number, 1e-50 to 1e+50
        the largest coordinate
    """
    return Set(*set_spec("hypersimplex", n=n, k=k, size=size))


def solid_hypersimplex(n: int, k: int, size: float = 1) -> Set:
    """{0 <= x <= size, sum x <= k size}: at most k of n things.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    k : whole number, 1 to 100000000
        how many are chosen at most, up to n
    size : number, 1e-50 to 1e+50
        the largest coordinate
    """
    return Set(*set_spec("solid_hypersimplex", n=n, k=k, size=size))


def weighted_simplex(weights: ArrayLike, total: float = 1, lower: ArrayLike = 0) -> Set:
    """{x >= lower, <weights, x> <= total}.

    Capabilities: projects.

    Parameters
    ----------
    weights : list of numbers, 1e-50 to 1e+50
        what a unit of each coordinate costs
    total : number, -1e+50 to 1e+50
        the largest cost
    lower : number, or one for each coordinate, -1e+50 to 1e+50
        the lower bounds
    """
    return Set(*set_spec("weighted_simplex", weights=weights, total=total, lower=lower))


def capped_simplex(
    lower: ArrayLike,
    upper: ArrayLike,
    n: int | None = None,
    total: float = 1,
    weights: ArrayLike = 1,
) -> Set:
    """{lower <= x <= upper, <weights, x> = total}: shares with a least and a most for each.

    Capabilities: projects, flat.

    Parameters
    ----------
    lower : number, or one for each coordinate, -1e+50 to 1e+50
        the lower bounds
    upper : number, or one for each coordinate, -1e+50 to 1e+50
        the upper bounds
    n : whole number, 2 to 100000000, default: the length of the lists
        the number of coordinates
    total : number, -1e+50 to 1e+50
        the sum
    weights : number, or one for each coordinate, 1e-50 to 1e+50
        what a unit of each coordinate counts
    """
    return Set(*set_spec(
        "capped_simplex",
        lower=lower,
        upper=upper,
        n=n,
        total=total,
        weights=weights,
    ))


def knapsack(
    weights: ArrayLike,
    capacity: float,
    lower: ArrayLike = 0,
    upper: ArrayLike = 1,
) -> Set:
    """{lower <= x <= upper, <weights, x> <= capacity}.

    Capabilities: projects.

    Parameters
    ----------
    weights : list of numbers, 1e-50 to 1e+50
        what each thing weighs
    capacity : number, -1e+50 to 1e+50
        the largest weight, below that of all
    lower : number, or one for each coordinate, -1e+50 to 1e+50
        the lower bounds
    upper : number, or one for each coordinate, -1e+50 to 1e+50
        the upper bounds
    """
    return Set(*set_spec("knapsack", weights=weights, capacity=capacity, lower=lower, upper=upper))


def permutahedron(values: ArrayLike) -> Set:
    """the hull of all orders of the values.

    Capabilities: projects, flat.

    Parameters
    ----------
    values : list of numbers, -1e+50 to 1e+50
        the values, not all equal
    """
    return Set(*set_spec("permutahedron", values=values))


def isotonic(n: int, lower: float = 0, upper: float = 1) -> Set:
    """{lower <= x_1 <= x_2 <= ... <= x_n <= upper}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    lower : number, -1e+50 to 1e+50
        the least value
    upper : number, -1e+50 to 1e+50
        the largest value
    """
    return Set(*set_spec("isotonic", n=n, lower=lower, upper=upper))


def partial_order(n: int, relations: ArrayLike, lower: float = 0, upper: float = 1) -> Set:
    """{lower <= x_i <= upper, x_i <= x_j for each relation [i, j] of an acyclic graph}.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    relations : list of lists of numbers, 0 to 1000000
        [i, j] for each x_i <= x_j, counted from 0
    lower : number, -1e+50 to 1e+50
        the least value
    upper : number, -1e+50 to 1e+50
        the largest value
    """
    return Set(*set_spec("partial_order", n=n, relations=relations, lower=lower, upper=upper))


def kl_ball(distribution: ArrayLike, radius: float) -> Set:
    """{x >= 0, sum x = 1, sum x_i log(x_i / q_i) <= radius}: distributions near q.

    Capabilities: flat.

    Parameters
    ----------
    distribution : list of numbers, 1e-09 to 1
        q, positive, of sum 1
    radius : number, 1e-10 to 1e+50
        the largest divergence
    """
    return Set(*set_spec("kl_ball", distribution=distribution, radius=radius))


def chi_square_ball(distribution: ArrayLike, radius: float) -> Set:
    """{x >= 0, sum x = 1, sum (x_i - q_i)^2 / q_i <= radius}: distributions near q.

    Capabilities: flat.

    Parameters
    ----------
    distribution : list of numbers, 1e-09 to 1
        q, positive, of sum 1
    radius : number, 1e-10 to 1e+50
        the largest divergence
    """
    return Set(*set_spec("chi_square_ball", distribution=distribution, radius=radius))


def hellinger_ball(distribution: ArrayLike, radius: float) -> Set:
    """{x >= 0, sum x = 1, 1 - sum sqrt(x_i q_i) <= radius^2}: distributions near q.

    Capabilities: flat.

    Parameters
    ----------
    distribution : list of numbers, 1e-09 to 1
        q, positive, of sum 1
    radius : number, 1e-05 to 1
        the largest distance
    """
    return Set(*set_spec("hellinger_ball", distribution=distribution, radius=radius))


def tv_distance_ball(distribution: ArrayLike, radius: float) -> Set:
    """{x >= 0, sum x = 1, sum |x_i - q_i| / 2 <= radius}: distributions near q.

    Capabilities: flat.

    Parameters
    ----------
    distribution : list of numbers, 0 to 1
        q, of sum 1
    radius : number, 1e-04 to 1
        the most that moves
    """
    return Set(*set_spec("tv_distance_ball", distribution=distribution, radius=radius))


def wasserstein_ball(
    distribution: ArrayLike,
    radius: float,
    places: ArrayLike | None = None,
    costs: ArrayLike | None = None,
) -> Set:
    """{x >= 0, sum x = 1, moving q to x costs at most the radius}.

    Capabilities: flat.

    Parameters
    ----------
    distribution : list of numbers, 0 to 1
        q, of sum 1
    radius : number, 1e-50 to 1e+50
        the largest cost
    places : list of numbers, -1e+50 to 1e+50, default: 0, 1, 2, ...
        where on the line, rising
    costs : list of lists of numbers, 0 to 1e+50, default: distances on the line
        of moving a unit, from each place to each
    """
    return Set(*set_spec(
        "wasserstein_ball",
        distribution=distribution,
        radius=radius,
        places=places,
        costs=costs,
    ))


def discounted_occupancy(transitions: ArrayLike, start: ArrayLike, discount: float) -> Set:
    """how often policies take each action in each state, in runs that go on by chance.

    Capabilities: flat.

    Parameters
    ----------
    transitions : list of lists of numbers, 0 to 1
        for each state and action the chances of the next state
    start : list of numbers, 0 to 1
        the probability of each state to start in
    discount : number, 0 to 0.9999
        the probability that a run goes on after a step
    """
    return Set(*set_spec(
        "discounted_occupancy",
        transitions=transitions,
        start=start,
        discount=discount,
    ))


def episodic_occupancy(transitions: ArrayLike, start: ArrayLike, steps: int) -> Set:
    """how often policies take each action in each state at each step of a run.

    Capabilities: flat.

    Parameters
    ----------
    transitions : list of lists of numbers, 0 to 1
        for each state and action the chances of the next state
    start : list of numbers, 0 to 1
        the probability of each state to start in
    steps : whole number, 1 to 3000
        the steps of a run
    """
    return Set(*set_spec("episodic_occupancy", transitions=transitions, start=start, steps=steps))


def birkhoff(n: int) -> Set:
    """{X >= 0, n x n, the rows and the columns sum to 1}.

    Capabilities: projects up to 1000 coordinates, flat.

    Parameters
    ----------
    n : whole number, 2 to 10000
        the number of rows and columns
    """
    return Set(*set_spec("birkhoff", n=n))


def transportation(supply: ArrayLike, demand: ArrayLike) -> Set:
    """{X >= 0, the rows sum to the supplies and the columns to the demands}.

    Capabilities: projects up to 1000 coordinates, flat.

    Parameters
    ----------
    supply : list of numbers, 1e-50 to 1e+50
        the sum of each row
    demand : list of numbers, 1e-50 to 1e+50
        the sum of each column
    """
    return Set(*set_spec("transportation", supply=supply, demand=demand))


def convex_hull(points: ArrayLike | None = None, file: str | None = None) -> Set:
    """the hull of the points.

    Capabilities: projects, flat if the points are.

    Parameters
    ----------
    points : list of lists of numbers, -1e+50 to 1e+50, default: the file's
        the points, a list of coordinates each
    file : text, default: none
        a CSV or .npy file, a point in each row
    """
    return Set(*set_spec("convex_hull", points=points, file=file))


def uniform_matroid(n: int, k: int, bases: bool = False) -> Set:
    """{0 <= x <= 1, sum x <= k}, or with bases sum x = k: subsets of k of n.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    k : whole number, 0 to 100000000
        the largest size, the rank
    bases : true or false
        whether only the bases, the largest independent sets
    """
    return Set(*set_spec("uniform_matroid", n=n, k=k, bases=bases))


def partition_matroid(groups: ArrayLike, limits: ArrayLike, bases: bool = False) -> Set:
    """{0 <= x <= 1, x sums to at most the limit in each group}, with bases to it.

    Capabilities: projects.

    Parameters
    ----------
    groups : list of numbers, 0 to 100000000
        the group of each element
    limits : list of numbers, 0 to 100000000
        the limit of each group
    bases : true or false
        whether only the bases, the largest independent sets
    """
    return Set(*set_spec("partition_matroid", groups=groups, limits=limits, bases=bases))


def laminar_matroid(n: int, sets: ArrayLike, limits: ArrayLike, bases: bool = False) -> Set:
    """{0 <= x <= 1, x sums to at most the limit in each of nested sets}, or its bases.

    Capabilities: projects.

    Parameters
    ----------
    n : whole number, 1 to 100000000
        the number of coordinates
    sets : list of lists of numbers, 0 to 100000000
        the elements of each set, nested or disjoint
    limits : list of numbers, 0 to 100000000
        the limit of each set
    bases : true or false
        whether only the bases, the largest independent sets
    """
    return Set(*set_spec("laminar_matroid", n=n, sets=sets, limits=limits, bases=bases))


def graphic_matroid(nodes: int, edges: ArrayLike, bases: bool = False) -> Set:
    """the hull of the forests of a graph, or with bases of the largest ones.

    Capabilities: projects.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    bases : true or false
        whether only the bases, the largest independent sets
    """
    return Set(*set_spec("graphic_matroid", nodes=nodes, edges=edges, bases=bases))


def spanning_trees(nodes: int, edges: ArrayLike) -> Set:
    """the hull of the spanning trees of a connected graph.

    Capabilities: projects, flat.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    """
    return Set(*set_spec("spanning_trees", nodes=nodes, edges=edges))


def common_independent_sets(first: Set, second: Set) -> Set:
    """the hull of the sets that are independent in two matroids.

    Capabilities: 0-1 vertices.

    Parameters
    ----------
    first : set
        a matroid, without bases
    second : set
        another one on the same elements
    """
    return Set(*set_spec("common_independent_sets", first=first, second=second))


def cut_bases(nodes: int, edges: ArrayLike, weights: ArrayLike = 1) -> Set:
    """the base polytope of the cuts of a graph: x(S) <= the weight of the edges with one end in S, sum x = 0.

    Capabilities: projects, flat.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    weights : number, or one for each coordinate, 1e-50 to 1e+50
        those of the edges
    """
    return Set(*set_spec("cut_bases", nodes=nodes, edges=edges, weights=weights))


def coverage_bases(covers: ArrayLike, weights: ArrayLike) -> Set:
    """the base polytope of a coverage: x(S) <= the weight of all places that S covers, sum x = that of all.

    Capabilities: projects, flat.

    Parameters
    ----------
    covers : list of lists of numbers, 0 to 100000000
        the places that each element covers
    weights : list of numbers, 1e-50 to 1e+50
        those of the places
    """
    return Set(*set_spec("coverage_bases", covers=covers, weights=weights))


def unit_flow(nodes: int, edges: ArrayLike, source: int, sink: int) -> Set:
    """{f >= 0, one unit flows from the source to the sink} of a graph without cycles.

    Capabilities: projects up to 1000 coordinates, flat.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    source : whole number, 0 to 1000000
        where the unit enters
    sink : whole number, 0 to 1000000
        where it leaves
    """
    return Set(*set_spec("unit_flow", nodes=nodes, edges=edges, source=source, sink=sink))


def path_splits(paths: ArrayLike) -> Set:
    """the shares of each demand's paths: a simplex a demand.

    Capabilities: projects, flat.

    Parameters
    ----------
    paths : list of numbers, 2 to 10000
        the number of paths of each demand
    """
    return Set(*set_spec("path_splits", paths=paths))


def flow(
    nodes: int,
    edges: ArrayLike,
    source: int,
    sink: int,
    capacities: ArrayLike = 1,
    amount: float = 1,
) -> Set:
    """{0 <= f <= capacities, the amount flows from the source to the sink} of any graph.

    Capabilities: projects up to 1000 coordinates, flat.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    source : whole number, 0 to 1000000
        where the amount enters
    sink : whole number, 0 to 1000000
        where it leaves
    capacities : number, or one for each coordinate, 1e-50 to 1e+50
        the most that an edge carries
    amount : number, 1e-50 to 1e+50
        what flows
    """
    return Set(*set_spec(
        "flow",
        nodes=nodes,
        edges=edges,
        source=source,
        sink=sink,
        capacities=capacities,
        amount=amount,
    ))


def multicommodity_flow(
    nodes: int,
    edges: ArrayLike,
    commodities: ArrayLike,
    capacities: ArrayLike = 1,
) -> Set:
    """{f >= 0, each commodity flows from its source to its sink, all within the capacities}.

    Capabilities: projects, flat.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    commodities : list of lists of numbers, 0 to 1e+50
        [source, sink, amount] for each
    capacities : number, or one for each coordinate, 1e-50 to 1e+50
        the most on an edge
    """
    return Set(*set_spec(
        "multicommodity_flow",
        nodes=nodes,
        edges=edges,
        commodities=commodities,
        capacities=capacities,
    ))


def bipartite_matchings(left: int, right: int, edges: ArrayLike | None = None) -> Set:
    """{x >= 0, at each node the sum over its edges is at most 1} of a bipartite graph.

    Capabilities: 0-1 vertices.

    Parameters
    ----------
    left : whole number, 1 to 10000
        the number of left nodes
    right : whole number, 1 to 10000
        the number of right nodes
    edges : list of lists of numbers, 0 to 1000000, default: all pairs, row by row
        [left, right] for each edge
    """
    return Set(*set_spec("bipartite_matchings", left=left, right=right, edges=edges))


def b_matchings(
    left: ArrayLike,
    right: ArrayLike,
    edges: ArrayLike | None = None,
    capacities: ArrayLike = 1,
) -> Set:
    """{0 <= x <= capacities, at each node the sum is at most its limit} of a bipartite graph.

    Capabilities: whole vertices for whole limits.

    Parameters
    ----------
    left : list of numbers, 1e-50 to 1e+50
        the limit of each left node
    right : list of numbers, 1e-50 to 1e+50
        the limit of each right node
    edges : list of lists of numbers, 0 to 1000000, default: all pairs, row by row
        [left, right] for each edge
    capacities : number, or one for each coordinate, 1e-50 to 1e+50
        the most on an edge
    """
    return Set(*set_spec(
        "b_matchings",
        left=left,
        right=right,
        edges=edges,
        capacities=capacities,
    ))


def matchings(nodes: int, edges: ArrayLike) -> Set:
    """the convex hull of the matchings of any graph.

    Capabilities: 0-1 vertices, needs LEMON.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [node, node] for each edge
    """
    return Set(*set_spec("matchings", nodes=nodes, edges=edges))


def perfect_matchings(nodes: int, edges: ArrayLike | None = None) -> Set:
    """the convex hull of the perfect matchings of a graph.

    Capabilities: flat, 0-1 vertices, needs LEMON.

    Parameters
    ----------
    nodes : whole number, 2 to 3000
        the number of nodes, even
    edges : list of lists of numbers, 0 to 1000000, default: all pairs
        [node, node] for each edge
    """
    return Set(*set_spec("perfect_matchings", nodes=nodes, edges=edges))


def arborescences(nodes: int, edges: ArrayLike, root: int = 0) -> Set:
    """the convex hull of the trees that lead from the root to all nodes of a directed graph.

    Capabilities: flat, 0-1 vertices.

    Parameters
    ----------
    nodes : whole number, 2 to 1000000
        the number of nodes, counted from 0
    edges : list of lists of numbers, 0 to 1000000
        [from, to] for each edge
    root : whole number, 0 to 1000000
        where the trees begin
    """
    return Set(*set_spec("arborescences", nodes=nodes, edges=edges, root=root))


def nuclear_ball(
    m: int,
    n: int,
    radius: float = 1,
    certified: bool = False,
    residual: float = 1e-10,
) -> Set:
    """{X : the singular values of X sum to at most radius}, m x n, row by row.

    Capabilities: projects.

    Parameters
    ----------
    m : whole number, 1 to 10000
        the number of rows
    n : whole number, 1 to 10000
        the number of columns
    radius : number, 1e-50 to 1e+50
        the largest sum of the singular values
    certified : true or false
        whether every answer above order 100 is verified
    residual : number, 1e-12 to 0.01
        the pair's residual above order 100, relative to the norm
    """
    return Set(*set_spec(
        "nuclear_ball",
        m=m,
        n=n,
        radius=radius,
        certified=certified,
        residual=residual,
    ))


def symmetric_nuclear_ball(
    n: int,
    radius: float = 1,
    certified: bool = False,
    residual: float = 1e-10,
) -> Set:
    """{X = X' : the magnitudes of the eigenvalues of X sum to at most radius}, n x n.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 1 to 10000
        the number of rows and columns
    radius : number, 1e-50 to 1e+50
        the largest sum of the magnitudes of the eigenvalues
    certified : true or false
        whether every answer above order 100 is verified
    residual : number, 1e-12 to 0.01
        the pair's residual above order 100, relative to the norm
    """
    return Set(*set_spec(
        "symmetric_nuclear_ball",
        n=n,
        radius=radius,
        certified=certified,
        residual=residual,
    ))


def psd_trace_ball(
    n: int,
    trace: float = 1,
    certified: bool = False,
    residual: float = 1e-10,
) -> Set:
    """{X = X' positive semidefinite, tr X <= trace}, n x n.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 1 to 10000
        the number of rows and columns
    trace : number, 1e-50 to 1e+50
        the largest trace
    certified : true or false
        whether every answer above order 100 is verified
    residual : number, 1e-12 to 0.01
        the pair's residual above order 100, relative to the norm
    """
    return Set(*set_spec(
        "psd_trace_ball",
        n=n,
        trace=trace,
        certified=certified,
        residual=residual,
    ))


def spectraplex(n: int, trace: float = 1, certified: bool = False, residual: float = 1e-10) -> Set:
    """{X = X' positive semidefinite, tr X = trace}, n x n, row by row.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 2 to 10000
        the number of rows and columns
    trace : number, 1e-50 to 1e+50
        the trace
    certified : true or false
        whether every answer above order 100 is verified
    residual : number, 1e-12 to 0.01
        the pair's residual above order 100, relative to the norm
    """
    return Set(*set_spec("spectraplex", n=n, trace=trace, certified=certified, residual=residual))


def fantope(n: int, k: int) -> Set:
    """{X = X' : 0 <= X <= I, tr X = k}, n x n, row by row: hull of the projectors of rank k.

    Capabilities: projects, flat.

    Parameters
    ----------
    n : whole number, 2 to 10000
        the number of rows and columns
    k : whole number, 1 to 10000
        the trace, below n
    """
    return Set(*set_spec("fantope", n=n, k=k))


def operator_norm_ball(m: int, n: int, radius: float = 1) -> Set:
    """{X : the largest singular value of X is at most radius}, m x n, row by row.

    Capabilities: projects.

    Parameters
    ----------
    m : whole number, 1 to 10000
        the number of rows
    n : whole number, 1 to 10000
        the number of columns
    radius : number, 1e-50 to 1e+50
        the largest singular value
    """
    return Set(*set_spec("operator_norm_ball", m=m, n=n, radius=radius))


def schatten_ball(m: int, n: int, p: float, radius: float = 1) -> Set:
    """{X : the p-norm of the singular values of X is at most radius}, m x n, row by row.

    Capabilities: projects.

    Parameters
    ----------
    m : whole number, 1 to 10000
        the number of rows
    n : whole number, 1 to 10000
        the number of columns
    p : number, 1 to inf
        the power, 1.01 to 100
    radius : number, 1e-50 to 1e+50
        the largest norm
    """
    return Set(*set_spec("schatten_ball", m=m, n=n, p=p, radius=radius))


def elliptope(n: int) -> Set:
    """{X = X' positive semidefinite, X_ii = 1}, n x n, row by row: correlation matrices.

    Capabilities: flat, solves a semidefinite program.

    Parameters
    ----------
    n : whole number, 2 to 200
        the number of rows and columns
    """
    return Set(*set_spec("elliptope", n=n))


def max_norm_ball(m: int, n: int, radius: float = 1) -> Set:
    """{X = U V' : all rows of U and V have length sqrt(radius) or less}, m x n, row by row.

    Capabilities: solves a semidefinite program.

    Parameters
    ----------
    m : whole number, 1 to 200
        the number of rows; m + n <= 200
    n : whole number, 1 to 200
        the number of columns
    radius : number, 1e-50 to 1e+50
        the largest max norm
    """
    return Set(*set_spec("max_norm_ball", m=m, n=n, radius=radius))


def image(set: Set, scale: float = 1, shift: ArrayLike = 0) -> Set:
    """{scale x + shift : x in the set}.

    Capabilities: projects if its set does.

    Parameters
    ----------
    set : set
        the set
    scale : number, -1e+50 to 1e+50 but 0
        the factor
    shift : number, or one for each coordinate, -1e+50 to 1e+50
        what is added
    """
    return Set(*set_spec("image", set=set, scale=scale, shift=shift))


def scaled(set: Set, scale: float) -> Set:
    """{scale x : x in the set}.

    Capabilities: projects if its set does.

    Parameters
    ----------
    set : set
        the set
    scale : number, -1e+50 to 1e+50 but 0
        the factor
    """
    return Set(*set_spec("scaled", set=set, scale=scale))


def translated(set: Set, shift: ArrayLike) -> Set:
    """{x + shift : x in the set}.

    Capabilities: projects if its set does.

    Parameters
    ----------
    set : set
        the set
    shift : number, or one for each coordinate, -1e+50 to 1e+50
        what is added
    """
    return Set(*set_spec("translated", set=set, shift=shift))


def affine_image(set: Set, matrix: ArrayLike, shift: ArrayLike = 0) -> Set:
    """{A x + b : x in the set}, A the matrix and b the shift.

    Capabilities: flat if its set is, there are more rows than columns or the rows are dependent.

    Parameters
    ----------
    set : set
        the set
    matrix : list of lists of numbers, -1e+50 to 1e+50
        the rows, a number for each coordinate
    shift : number, or one for each coordinate, -1e+50 to 1e+50
        what is added
    """
    return Set(*set_spec("affine_image", set=set, matrix=matrix, shift=shift))


def product(*sets: Set) -> Set:
    """{(x, y, ...) : x in the first set, y in the second, ...}.

    Capabilities: projects if its sets do.

    Parameters
    ----------
    sets : sets
        the sets, one argument each
    """
    return Set(*set_spec("product", *sets))


def minkowski_sum(*sets: Set) -> Set:
    """{x + y + ... : x in the first set, y in the second, ...}.

    Capabilities: flat if its sets together are.

    Parameters
    ----------
    sets : sets
        sets of the same dimension, one argument each
    """
    return Set(*set_spec("minkowski_sum", *sets))


def hull_of_union(*sets: Set) -> Set:
    """the convex hull of the union of the sets.

    Capabilities: flat if its sets together are.

    Parameters
    ----------
    sets : sets
        sets of the same dimension, one argument each
    """
    return Set(*set_spec("hull_of_union", *sets))


def recentred(set: Set, centre: ArrayLike) -> Set:
    """the same set about another centre.

    Capabilities: projects if its set does.

    Parameters
    ----------
    set : set
        the set
    centre : list of numbers, -1e+50 to 1e+50
        a point of its relative interior
    """
    return Set(*set_spec("recentred", set=set, centre=centre))


def intersection(*sets: Set) -> Set:
    """the points that all of the sets have.

    Capabilities: projects if its sets are given by linear inequalities, flat if one of its sets
    is.

    Parameters
    ----------
    sets : sets
        the sets, one argument each
    """
    return Set(*set_spec("intersection", *sets))


def slice(set: Set, A: ArrayLike, b: ArrayLike) -> Set:
    """{x in the set : A x = b}.

    Capabilities: projects if its set is given by linear inequalities, flat.

    Parameters
    ----------
    set : set
        the set
    A : list of lists of numbers, -1e+50 to 1e+50
        the rows, a number for each coordinate
    b : list of numbers, -1e+50 to 1e+50
        their values
    """
    return Set(*set_spec("slice", set=set, A=A, b=b))


def cut(set: Set, A: ArrayLike, b: ArrayLike) -> Set:
    """{x in the set : A x <= b}.

    Capabilities: projects if its set is given by linear inequalities, flat if its set is.

    Parameters
    ----------
    set : set
        the set
    A : list of lists of numbers, -1e+50 to 1e+50
        the rows, a number for each coordinate
    b : list of numbers, -1e+50 to 1e+50
        what they are at most
    """
    return Set(*set_spec("cut", set=set, A=A, b=b))
