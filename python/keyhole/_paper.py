"""The curves of the paper's Figure 1, for figures next to them.

Facts, read off the published graphics to about one part in a thousand of the axis; the same as in
src/reproduction/published_curves.cc.
"""

from __future__ import annotations

#: In the order of the columns of CURVES.
LEARNERS = ("Proposed", "FKM", "Unregularized", "StochOCG")
#: By experiment: the round, and the average loss of each learner then, the mean of 50 runs.
CURVES: dict[str, tuple[tuple[float, ...], ...]] = {
    "quadratic": (
        (1, 25.48, 18.08, 25.78, 0.344),
        (3, 39.69, 16.6, 22.9, 0.25),
        (9, 37.2, 14.1, 23.4, 8.3),
        (33, 31.6, 12.8, 28.3, 21.0),
        (129, 24.9, 10.0, 30.4, 20.9),
        (501, 18.5, 6.90, 29.9, 16.5),
        (1001, 15.0, 5.60, 30.0, 13.6),
        (2000, 11.67, 4.69, 31.44, 10.45),
    ),
    "portfolio": (
        (1, 0.693, 0.693, 0.693, 0.693),
        (3, 0.501, 0.618, 1.158, 1.441),
        (9, 0.358, 0.535, 1.067, 1.314),
        (33, 0.151, 0.392, 0.500, 0.593),
        (129, 0.0516, 0.280, 0.181, 0.211),
        (501, 0.0149, 0.211, 0.0544, 0.0623),
        (1000, 0.0083, 0.193, 0.0308, 0.0350),
    ),
    "completion": (
        (1, 3658.5, 3658.5, 3658.2, 3658.4),
        (3, 3576, 3590, 3578, 3579),
        (9, 3535, 3560, 3534, 3540),
        (33, 3467, 3508, 3468, 3477),
        (129, 3445, 3488, 3452, 3455),
        (200, 3436.8, 3478.7, 3445.6, 3445.4),
    ),
}
