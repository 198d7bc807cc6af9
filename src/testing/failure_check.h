#pragma once

#include "testing/learner_under_test.h"
#include "testing/report.h"

namespace keyhole::testing {

/// Whether the latest play or the point recommended after it is outside the set.
Complaint is_outside(Run& run);

/// A check of keyhole/testing.h, for learners that can be made on another set.
Complaint survives_a_failing_oracle(const LearnerUnderTest& learner);

}  // namespace keyhole::testing
