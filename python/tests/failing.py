"""A learner that has failed."""

import keyhole as kh
import numpy as np
import pytest


def failed_learner():
    """Its set fails in the middle of a play."""
    fails = []

    def minimise(d):
        if fails:
            raise RuntimeError("away")
        return -np.sign(d) + (d == 0)

    result = kh.Learner(kh.own_set(2, minimise), "projection_free(loss_bound=9, "
                        "gradient_bound=9, horizon=100)")
    result.tell(result.ask(), 1.0)
    fails.append(1)
    with pytest.raises(RuntimeError):
        result.ask()
    return result
