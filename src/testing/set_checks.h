#pragma once

#include "testing/report.h"
#include "testing/set_under_test.h"

// The checks of a set, one function each; keyhole/testing.h says what each demands.

namespace keyhole::testing {

// oracle_checks.cc
Complaint spec_is_stable(const SetUnderTest& k);
Complaint oracle_stays_inside(const SetUnderTest& k);
Complaint oracle_is_optimal(const SetUnderTest& k);
Complaint oracle_matches_slow_minimum(const SetUnderTest& k);
Complaint oracle_is_pure(const SetUnderTest& k);
Complaint oracle_ignores_powers_of_two(const SetUnderTest& k);
Complaint oracle_ignores_what_leaves_the_hull(const SetUnderTest& k);
Complaint oracle_answers_are_vertices(const SetUnderTest& k);
Complaint vertex_parts_agree(const SetUnderTest& k);

// membership_checks.cc
Complaint membership_accepts_the_centre(const SetUnderTest& k);
Complaint membership_accepts_mixtures(const SetUnderTest& k);
Complaint membership_rejects_outward_nudges(const SetUnderTest& k);
Complaint membership_rejects_far_points(const SetUnderTest& k);
Complaint membership_rejects_points_off_the_hull(const SetUnderTest& k);
Complaint membership_rejects_malformed_points(const SetUnderTest& k);
Complaint settle_keeps_members(const SetUnderTest& k);
Complaint settle_mends_rounding(const SetUnderTest& k);
Complaint settle_leaves_violations(const SetUnderTest& k);

// geometry_checks.cc
Complaint inner_ball_is_inside(const SetUnderTest& k);
Complaint inner_radius_is_not_too_large(const SetUnderTest& k);
Complaint outer_radius_is_not_too_small(const SetUnderTest& k);
Complaint diameter_is_not_too_small(const SetUnderTest& k);
Complaint geometry_about_another_centre(const SetUnderTest& k);

// projection_checks.cc
Complaint projection_lands_inside(const SetUnderTest& k);
Complaint projection_is_nearest(const SetUnderTest& k);
Complaint projection_keeps_members(const SetUnderTest& k);
Complaint projection_is_pure(const SetUnderTest& k);
Complaint projection_is_refused(const SetUnderTest& k);

// gauge_checks.cc
Complaint gauge_matches_membership(const SetUnderTest& k);
Complaint gauge_is_one_at_vertices(const SetUnderTest& k);
Complaint gauge_is_positively_homogeneous(const SetUnderTest& k);
Complaint gauge_has_subgradients(const SetUnderTest& k);
Complaint subgradients_stay_in_the_hull(const SetUnderTest& k);
Complaint gauge_is_pure(const SetUnderTest& k);
Complaint gauge_is_refused(const SetUnderTest& k);

// hull_checks.cc
Complaint flatten_is_an_orthogonal_projection(const SetUnderTest& k);
Complaint flatten_keeps_the_set(const SetUnderTest& k);
Complaint flatten_has_the_hull_dimension(const SetUnderTest& k);
Complaint directions_are_units_of_the_hull(const SetUnderTest& k);
Complaint directions_are_isotropic(const SetUnderTest& k);

// exploration_checks.cc
Complaint exploration_is_sound(const SetUnderTest& k);
Complaint exploration_stays_inside(const SetUnderTest& k);
Complaint exploration_is_pure(const SetUnderTest& k);
Complaint exploration_keeps_its_radius(const SetUnderTest& k);
Complaint exploration_has_its_mean(const SetUnderTest& k);
Complaint scores_stay_in_the_hull(const SetUnderTest& k);
Complaint scores_fit_the_draws(const SetUnderTest& k);

}  // namespace keyhole::testing
