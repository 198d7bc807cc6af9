// Inequalities of a linear model that all others together let hold only with equality.

#pragma once

#include "spec/linear_model.h"

namespace keyhole::spec {

/// Writes as equalities what is one by linear programs: a side of a row or a column that has no
/// room at any point of the polytope. A point with room for one side mostly has room for many
/// others, so few programs are solved besides one for each equality.
///
/// Whether there were any. None are found, and nothing changes, if the polytope is empty or
/// unbounded, if rounding hides a solution, or without CLP.
bool write_implied_equalities(LinearModel& model);

}  // namespace keyhole::spec
