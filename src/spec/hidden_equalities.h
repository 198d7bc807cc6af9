// Inequalities of a linear model that can only hold with equality.

#pragma once

#include "spec/linear_model.h"

namespace keyhole::spec {

/// Writes as equalities what is one by looking at a row at a time (Brearley, Mitra, Williams 1975):
///
/// - rows with the same numbers, or the same with the other sign, are one row, between the larger
///   of their lower bounds and the smaller of the upper ones;
/// - a row whose least value within the bounds of its columns is its upper bound, or the largest
///   its lower one, fixes all of its columns, which become fixed by their bounds.
///
/// Sums are compared exactly, so nothing that leaves a choice is taken for an equality. Rows that
/// contradict each other are left for a message that names them.
void write_hidden_equalities(LinearModel& model);

}  // namespace keyhole::spec
