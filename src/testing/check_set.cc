#include <memory>

#include "testing/set_checks.h"

namespace keyhole::testing {

Report check_set(const SetPtr& set, const SetCheckOptions& options) {
  Report report;
  std::unique_ptr<SetUnderTest> k;
  const auto run = [&](const char* name, Complaint (*check)(const SetUnderTest&)) {
    if (options.begins) options.begins(name);
    run_check(report, name, [&] { return check(*k); });
  };

  if (options.begins) options.begins("oracle_is_there");
  run_check(report, "oracle_is_there", [&]() -> Complaint {
    if (set == nullptr) return "there is no set";
    k = std::make_unique<SetUnderTest>(set, options);
    return {};
  });
  if (!report.ok()) return report;

  run("spec_is_stable", spec_is_stable);
  run("oracle_stays_inside", oracle_stays_inside);
  run("oracle_is_optimal", oracle_is_optimal);
  if (options.slow_minimum) run("oracle_matches_slow_minimum", oracle_matches_slow_minimum);
  run("oracle_is_pure", oracle_is_pure);
  run("oracle_ignores_powers_of_two", oracle_ignores_powers_of_two);
  run("oracle_ignores_what_leaves_the_hull", oracle_ignores_what_leaves_the_hull);
  if (options.polytope) run("oracle_answers_are_vertices", oracle_answers_are_vertices);
  run("vertex_parts_agree", vertex_parts_agree);

  run("membership_accepts_the_centre", membership_accepts_the_centre);
  run("membership_accepts_mixtures", membership_accepts_mixtures);
  run("membership_rejects_outward_nudges", membership_rejects_outward_nudges);
  run("membership_rejects_far_points", membership_rejects_far_points);
  run("membership_rejects_points_off_the_hull", membership_rejects_points_off_the_hull);
  run("membership_rejects_malformed_points", membership_rejects_malformed_points);

  run("inner_ball_is_inside", inner_ball_is_inside);
  run("inner_radius_is_not_too_large", inner_radius_is_not_too_large);
  run("outer_radius_is_not_too_small", outer_radius_is_not_too_small);
  run("diameter_is_not_too_small", diameter_is_not_too_small);
  run("geometry_about_another_centre", geometry_about_another_centre);

  if (set->can_project()) {
    run("projection_lands_inside", projection_lands_inside);
    run("projection_is_nearest", projection_is_nearest);
    run("projection_keeps_members", projection_keeps_members);
    run("projection_is_pure", projection_is_pure);
  } else {
    run("projection_is_refused", projection_is_refused);
  }

  if (set->can_gauge()) {
    run("gauge_matches_membership", gauge_matches_membership);
    run("gauge_is_one_at_vertices", gauge_is_one_at_vertices);
    run("gauge_is_positively_homogeneous", gauge_is_positively_homogeneous);
    run("gauge_has_subgradients", gauge_has_subgradients);
    run("subgradients_stay_in_the_hull", subgradients_stay_in_the_hull);
    run("gauge_is_pure", gauge_is_pure);
  } else {
    run("gauge_is_refused", gauge_is_refused);
  }

  run("flatten_is_an_orthogonal_projection", flatten_is_an_orthogonal_projection);
  run("flatten_keeps_the_set", flatten_keeps_the_set);
  run("flatten_has_the_hull_dimension", flatten_has_the_hull_dimension);

  run("settle_keeps_members", settle_keeps_members);
  run("settle_mends_rounding", settle_mends_rounding);
  run("settle_leaves_violations", settle_leaves_violations);

  run("directions_are_units_of_the_hull", directions_are_units_of_the_hull);
  run("directions_are_isotropic", directions_are_isotropic);

  run("exploration_is_sound", exploration_is_sound);
  run("exploration_stays_inside", exploration_stays_inside);
  run("exploration_is_pure", exploration_is_pure);
  run("exploration_keeps_its_radius", exploration_keeps_its_radius);
  run("exploration_has_its_mean", exploration_has_its_mean);
  run("scores_stay_in_the_hull", scores_stay_in_the_hull);
  run("scores_fit_the_draws", scores_fit_the_draws);
  return report;
}

}  // namespace keyhole::testing
