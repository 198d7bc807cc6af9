// What a reader of the report cannot see in its figures.

#pragma once

#include <string>

#include "report/report.h"
#include "reproduction/outcome.h"

namespace keyhole::reproduction {

/// Leaves out the band of the default learner where it is higher or lower than all else in the
/// figure: it has few repeats, and the figure is about the others. The note says so, and which
/// curves lie on each other: they are nowhere further apart than a hundredth of the figure's
/// height.
void make_readable(report::Figure& figure);

/// Names the controls that end below every learner, each where that learner ends; empty if there is
/// none.
[[nodiscard]] std::string better_controls(const Outcome& outcome);

}  // namespace keyhole::reproduction
