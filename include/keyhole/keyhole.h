#pragma once

/// \file
/// The whole library: include this, or the header of the part you use.

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"
#include "keyhole/bbcg.h"
#include "keyhole/choices.h"
#include "keyhole/controls.h"
#include "keyhole/directions.h"
#include "keyhole/drift.h"
#include "keyhole/error.h"
#include "keyhole/exploration.h"
#include "keyhole/gauge.h"
#include "keyhole/gradient_algorithm.h"
#include "keyhole/gradient_learner.h"
#include "keyhole/gradient_learners.h"
#include "keyhole/graphs.h"
#include "keyhole/hindsight.h"
#include "keyhole/learner.h"
#include "keyhole/learners.h"
#include "keyhole/list.h"
#include "keyhole/matroids.h"
#include "keyhole/noise.h"
#include "keyhole/norm_balls.h"
#include "keyhole/online_newton.h"
#include "keyhole/own_set.h"
#include "keyhole/parameter_free.h"
#include "keyhole/platform.h"
#include "keyhole/polytope.h"
#include "keyhole/problem.h"
#include "keyhole/problems.h"
#include "keyhole/set.h"
#include "keyhole/sets.h"
#include "keyhole/spec.h"
#include "keyhole/spectral_sets.h"
#include "keyhole/state.h"
#include "keyhole/summary.h"
#include "keyhole/two_point.h"
#include "keyhole/version.h"

/// Projection-free bandit convex optimisation.
namespace keyhole {}
