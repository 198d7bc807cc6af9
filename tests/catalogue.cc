// Compiled once for all programs.

#include "catalogue.h"

#include <array>

namespace keyhole::tests {

SetPtr random_box(std::size_t n, Random& random) {
  std::vector<double> lower(n);
  std::vector<double> upper(n);
  for (std::size_t i = 0; i < n; ++i) {
    lower[i] = random.uniform(-3, 3);
    upper[i] = lower[i] + random.uniform(0.1, 2);
  }
  return box(lower, upper);
}

SetPtr recentred_at_random(const SetPtr& set, Random& random) {
  std::vector<double> centre = set->centre();
  const auto oracle = set->oracle();
  const double weight = random.uniform(0, 0.5);
  for (double& coordinate : centre) coordinate *= 1 - weight;
  const std::size_t vertices = 3;
  for (std::size_t k = 0; k < vertices; ++k) {
    oracle->minimise(random.normals(set->dimension())).add_to(centre, weight / vertices);
  }
  return recentred(set, centre);
}

SetPtr random_polytope(std::size_t n, std::size_t equalities, Random& random) {
  const std::size_t rows = std::min<std::size_t>(n, 20);
  PolytopeConstraints constraints{
      .n = n, .lower = std::vector<double>(n, 0.0), .upper = std::vector<double>(n, 1.0)};
  constraints.inequalities.right.assign(rows, 1.0);
  for (std::size_t k = 0; k < rows * n; ++k) {
    constraints.inequalities.dense.push_back(random.uniform());
  }
  for (std::size_t i = 0; i < equalities; ++i) {
    double right = 0;
    for (std::size_t j = 0; j < n; ++j) {
      constraints.equalities.sparse.push_back({i, j, random.normal()});
      right += constraints.equalities.sparse.back().value * 0.5 / static_cast<double>(n);
    }
    constraints.equalities.right.push_back(right);
  }
  return polytope(constraints);
}

std::pair<std::size_t, std::vector<Edge>> random_graph(std::size_t n, Random& random) {
  std::vector<Edge> edges = {{0, 1}, {0, 1}};
  std::vector<std::size_t> order = {0, 1};  // topological
  while (edges.size() < n) {
    if (random.uniform() < 0.5) {
      const std::size_t later = random.integer(1, order.size() - 1);
      edges.push_back({order[random.integer(0, later - 1)], order[later]});
    } else {
      Edge& edge = edges[random.integer(0, edges.size() - 1)];
      const std::size_t node = order.size();
      const std::size_t end = edge.to;
      order.insert(std::find(order.begin(), order.end(), end), node);
      edge.to = node;
      edges.push_back({node, end});
    }
  }
  return {order.size(), edges};
}

namespace {

/// A box, next to a simplex and an image of an l1 ball if there is room.
SetPtr random_product(std::size_t n, Random& random) {
  if (n < 4) return product({random_box(n, random)});
  const std::size_t third = n / 3;
  return product({simplex(third + 1, random.uniform(0.5, 2)), random_box(third, random),
                  image(l1_ball(n - 2 * third - 1), -0.5, 1)});
}

/// Of up to 50 edges: a projection takes the cube of the nodes.
SetPtr random_unit_flow(std::size_t n, Random& random) {
  const auto [nodes, edges] = random_graph(std::min<std::size_t>(n, 50), random);
  return unit_flow(nodes, edges, 0, 1);
}

/// Of a simplex, by the identity and a tenth of the normal distribution in each place; with a row
/// more than columns.
SetPtr random_affine_image(std::size_t n, Random& random) {
  std::vector<double> matrix = random.normals(n * (n - 1), 0.1 / std::sqrt(static_cast<double>(n)));
  for (std::size_t i = 0; i + 1 < n; ++i) matrix[i * (n - 1) + i] += 1;
  return affine_image(solid_simplex(n - 1), matrix, random.normals(n));
}

/// Demands of 2 or 3 paths.
SetPtr random_splits(std::size_t n, Random& random) {
  std::vector<std::size_t> paths;
  while (n >= 2) {
    paths.push_back(n <= 3 ? n : random.integer(2, std::min<std::size_t>(3, n - 2)));
    n -= paths.back();
  }
  return path_splits(paths);
}

}  // namespace

std::vector<SetFamily> set_families() {
  const auto shifts = [](std::size_t n, Random& random) { return random.normals(n, 2); };
  return {
      {"ball", 1, [](std::size_t n, Random& r) { return ball(n, std::exp(r.normal())); }},
      {"box", 1, random_box},
      {"solid_simplex", 1,
       [](std::size_t n, Random& r) { return solid_simplex(n, std::exp(r.normal())); }},
      {"simplex", 2, [](std::size_t n, Random& r) { return simplex(n, std::exp(r.normal())); }},
      {"l1_ball", 1, [](std::size_t n, Random& r) { return l1_ball(n, std::exp(r.normal())); }},
      {"product", 1, random_product},
      {"path_splits", 2, random_splits},
      {"nuclear_ball", 1,
       [](std::size_t n, Random& r) {
         return nuclear_ball(side(n), n / side(n), std::exp(r.normal()));
       }},
      {"symmetric_nuclear_ball", 1,
       [](std::size_t n, Random& r) {
         return symmetric_nuclear_ball(side(n), std::exp(r.normal()));
       }},
      {"psd_trace_ball", 1,
       [](std::size_t n, Random& r) { return psd_trace_ball(side(n), std::exp(r.normal())); }},
      {"enlarged_portfolio", 1,
       [](std::size_t n, Random&) {
         return image(solid_simplex(n), 2 * static_cast<double>(n), -1);
       }},
      {"image_of_ball", 1,
       [=](std::size_t n, Random& r) { return image(ball(n), r.uniform(0.2, 3), shifts(n, r)); }},
      {"mirrored_box", 1,
       [=](std::size_t n, Random& r) {
         return image(random_box(n, r), -r.uniform(0.2, 3), shifts(n, r));
       }},
      {"image_of_simplex", 2,
       [=](std::size_t n, Random& r) {
         return image(simplex(n), r.uniform(-3, -0.2), shifts(n, r));
       }},
      {"polytope", 1, [](std::size_t n, Random& r) { return random_polytope(n, 0, r); }},
      {"flat_polytope", 2, [](std::size_t n, Random& r) { return random_polytope(n, 1, r); }},
      {"image_of_nuclear_ball", 1,
       [=](std::size_t n, Random& r) {
         const SetPtr set = nuclear_ball(n / side(n), side(n));
         return image(set, r.uniform(-3, -0.2), shifts(set->dimension(), r));
       }},
      {"recentred_ball", 1,
       [](std::size_t n, Random& r) { return recentred_at_random(ball(n), r); }},
      {"recentred_box", 1,
       [](std::size_t n, Random& r) { return recentred_at_random(random_box(n, r), r); }},
      {"recentred_solid_simplex", 1,
       [](std::size_t n, Random& r) { return recentred_at_random(solid_simplex(n), r); }},
      {"recentred_simplex", 2,
       [](std::size_t n, Random& r) { return recentred_at_random(simplex(n), r); }},
      {"recentred_symmetric_nuclear_ball", 1,
       [](std::size_t n, Random& r) {
         return recentred_at_random(symmetric_nuclear_ball(side(n)), r);
       }},
      {"recentred_psd_trace_ball", 1,
       [](std::size_t n, Random& r) { return recentred_at_random(psd_trace_ball(side(n)), r); }},
      {"unit_flow", 2, random_unit_flow},
  };
}

std::vector<SetFamily> set_families_without_projection() {
  return {{"affine_image", 2, random_affine_image}};
}

std::vector<SetFamily> all_set_families() {
  std::vector<SetFamily> all = set_families();
  for (SetFamily& family : set_families_without_projection()) all.push_back(std::move(family));
  return all;
}

std::vector<LearnerFamily> learner_families() {
  using Make = std::function<std::unique_ptr<HorizonAlgorithm>(const SetPtr&, std::uint64_t)>;
  const std::vector<std::pair<std::string, Make>> with_horizon = {
      {"projection_free",
       [](const SetPtr& set, std::uint64_t T) {
         return projection_free(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = T});
       }},
      {"projection_free_as_published",
       [](const SetPtr& set, std::uint64_t T) {
         return projection_free(set, {.loss_bound = 1,
                                      .gradient_bound = 1,
                                      .horizon = T,
                                      .c = set->inner_radius(),
                                      .constants = Constants::as_published});
       }},
      {"unregularized",
       [](const SetPtr& set, std::uint64_t T) {
         return unregularized(set, {.loss_bound = 1, .horizon = T});
       }},
      {"fkm",
       [](const SetPtr& set, std::uint64_t T) {
         return fkm(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = T});
       }},
      {"fkm_textbook",
       [](const SetPtr& set, std::uint64_t T) {
         return fkm(set, {.loss_bound = 1, .horizon = T, .constants = FkmConstants::textbook});
       }},
      // The theorem's steps, and the tolerance of its leaders, are for long runs: in a short one
      // the plays would not show that it hears.
      {"bbcg",
       [](const SetPtr& set, std::uint64_t T) {
         const auto& [p, r, R, D, exact_R, exact_D] = set->geometry();
         const double n = static_cast<double>(set->hull_dimension());
         return bbcg(set, {.loss_bound = 1,
                           .gradient_bound = 1,
                           .horizon = T,
                           .c = r / 2,
                           .eta = 10 * R * r / n});
       }},
      {"bbcg_strongly_convex",
       [](const SetPtr& set, std::uint64_t T) {
         const auto& [p, r, R, D, exact_R, exact_D] = set->geometry();
         const double n = static_cast<double>(set->hull_dimension());
         return bbcg(set, {.loss_bound = 1,
                           .horizon = T,
                           .strong_convexity = 0.1 / (R * R),
                           .epsilon = 0.1 * n * R / r});
       }},
      {"two_point",
       [](const SetPtr& set, std::uint64_t T) {
         return two_point(set, {.gradient_bound = 1, .horizon = T, .pending_pairs = 5});
       }},
      // The losses of a pair are not the same here, and a small delta would blow the difference up:
      // far from the set, projections take long.
      {"two_point_descent",
       [](const SetPtr& set, std::uint64_t T) {
         const auto& [p, r, R, D, exact_R, exact_D] = set->geometry();
         return two_point(set, {.gradient_bound = 1,
                                .horizon = T,
                                .step = TwoPointStep::gradient_descent,
                                .delta = r / 2,
                                .eta = 0.05 * R * r / static_cast<double>(set->hull_dimension())});
       }},
  };
  std::vector<LearnerFamily> families;
  const auto push_with_anytime = [&](const std::string& name, const Make& make) {
    families.push_back({name, make});
    families.push_back({"anytime_" + name, [make](const SetPtr& set, std::uint64_t) {
                          return anytime(make(set, 1));
                        }});
  };
  for (const auto& [name, make] : with_horizon) push_with_anytime(name, make);
  push_with_anytime("gauge", [](const SetPtr& set, std::uint64_t T) {
    return gauge(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = T});
  });
  push_with_anytime("online_newton", [](const SetPtr& set, std::uint64_t T) {
    return online_newton(set, {.gradient_bound = 1, .horizon = T});
  });
  for (LearnerFamily& family : families) {
    if (family.name.find("gauge") != std::string::npos) {
      family.plays_on = [](const Set& set) { return set.can_gauge(); };
    } else if (family.name.find("newton") != std::string::npos) {
      // It could in 64; a round takes n^3 operations.
      family.plays_on = [](const Set& set) { return set.hull_dimension() <= 20; };
    } else if (family.name.find("two_point") != std::string::npos) {
      // Two plays for a step, between few vertices: on a segment 40 plays may be the same by
      // chance.
      family.hears_within = 100;
    }
  }
  // It stays where it is until the gradients stand out from their noise, or until each kind of play
  // has been seen often enough to choose its sizes.
  const auto push_parameter_free = [&](const char* name, const ParameterFreeOptions& options) {
    families.push_back(
        {.name = name,
         .make = [=](const SetPtr& set, std::uint64_t) { return parameter_free(set, options); },
         .hears_within = 160});
  };
  push_parameter_free("parameter_free", {});
  push_parameter_free("parameter_free_on_sphere", {.explore_at = ExploreAt::inscribed_sphere});
  push_parameter_free("parameter_free_fixed", {.schedule = ExplorationSchedule::fixed,
                                               .baseline = Baseline::average,
                                               .curvature = false,
                                               .restarts = false,
                                               .clipping = false});
  // These look at 16 losses, and at as many as there are coefficients, before their plays depend on
  // them. They could play in 512 dimensions; a round takes n^2 operations.
  const auto in_few = [](const Set& set) { return set.hull_dimension() <= 30; };
  families.push_back({.name = "posterior",
                      .make = [](const SetPtr& set, std::uint64_t) { return posterior(set); },
                      .hears_within = 160,
                      .plays_on = in_few});
  families.push_back(
      {.name = "posterior_with_reach",
       .make = [](const SetPtr& set, std::uint64_t) { return posterior(set, {.reach = 0.3}); },
       .hears_within = 160,
       .plays_on = in_few});
  families.push_back({.name = "face",
                      .make = [](const SetPtr& set, std::uint64_t) { return face(set); },
                      .hears_within = 160,
                      .plays_on = in_few});
  families.push_back({.name = "linear_thompson",
                      .make = [](const SetPtr& set, std::uint64_t) { return linear_thompson(set); },
                      .hears_within = 160,
                      .plays_on = in_few});
  // Ten pairs choose its steps before it makes one.
  families.push_back(
      {.name = "spsa",
       .make = [](const SetPtr& set, std::uint64_t) { return spsa(set, {.pending_pairs = 5}); },
       .hears_within = 60});
  families.push_back({"cma_es", [](const SetPtr& set, std::uint64_t) { return cma_es(set); }});
  families.push_back({"restarting_fkm", [](const SetPtr& set, std::uint64_t) {
                        return restarting(fkm(set, {.loss_bound = 1, .gradient_bound = 1}), 23);
                      }});
  families.push_back(
      {.name = "watchful_parameter_free",
       .make = [](const SetPtr& set, std::uint64_t) { return watchful(parameter_free(set)); },
       .hears_within = 160});
  families.push_back({.name = "levelled_parameter_free",
                      .make =
                          [](const SetPtr& set, std::uint64_t) {
                            return levelled(parameter_free(set), {{"number", "choice(3)"}});
                          },
                      .hears_within = 160});
  families.push_back({.name = "anchored_projection_free",
                      .make =
                          [](const SetPtr& set, std::uint64_t T) {
                            return anchored(set, projection_free(product({set, set}),
                                                                 {.loss_bound = 1, .horizon = T}));
                          },
                      .plays_on = in_few});
  families.push_back(
      {"stay", [](const SetPtr& set, std::uint64_t) { return stay(set); }, false, false});
  families.push_back({"random_vertex",
                      [](const SetPtr& set, std::uint64_t) { return random_vertex(set); }, true,
                      false});
  families.push_back({"fed_constant",
                      [](const SetPtr& set, std::uint64_t) {
                        return fed_constant(anytime(projection_free(set, {.loss_bound = 1})));
                      },
                      true, false});
  return families;
}

std::vector<GradientLearnerFamily> gradient_learner_families() {
  const auto ocg_for = [](const SetPtr& set, std::uint64_t T) {
    return ocg(set, {.gradient_bound = 1, .horizon = T});
  };
  const auto optimized_ocg_for = [](const SetPtr& set, std::uint64_t T) {
    return ocg(set, {.gradient_bound = 1, .horizon = T, .constants = OcgConstants::optimized});
  };
  const auto stochastic_ocg_for = [](const SetPtr& set, std::uint64_t T) {
    // The default, the dimension, would drown the gradients of a short run in many dimensions.
    return stochastic_ocg(set, {.gradient_bound = 1, .standard_deviation = 2, .horizon = T});
  };
  return {
      {"ogd", false,
       [](const SetPtr& set, std::uint64_t) { return ogd(set, {.gradient_bound = 1}); }},
      {"ocg", false, ocg_for},
      {"anytime_ocg", false,
       [=](const SetPtr& set, std::uint64_t) { return anytime(ocg_for(set, 1)); }, 127},
      {"restarting_ocg", false,
       [=](const SetPtr& set, std::uint64_t) { return restarting(ocg_for(set, 1), 50); }, 100},
      {"one_shot", false, [](const SetPtr& set, std::uint64_t) { return one_shot(set); }},
      {"optimized_ocg", false, optimized_ocg_for},
      {"stochastic_ocg", true, stochastic_ocg_for},
      {"anytime_stochastic_ocg", true,
       [=](const SetPtr& set, std::uint64_t) { return anytime(stochastic_ocg_for(set, 1)); }},
  };
}

namespace {

std::array<double, 200> gradient_of(PlayId id, double number) {
  std::array<double, 200> gradient{};
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] = (number + 0.25) * (static_cast<double>((i * i + id) % 5) / 2 - 1);
  }
  return gradient;
}

}  // namespace

Receipt tell(GradientLearner& learner, PlayId id, double number) {
  const auto gradient = gradient_of(id, number);
  return learner.tell(id, std::span(gradient).first(learner.set().dimension()));
}

Receipt check(const GradientLearner& learner, PlayId id, double number) {
  const auto gradient = gradient_of(id, number);
  return learner.check(id, std::span(gradient).first(learner.set().dimension()));
}

double pushing_loss(std::uint64_t kind, std::uint64_t t, std::span<const double> y,
                    Random& random) {
  switch (kind % 5) {
    case 0:
      return random.uniform(-1, 1);
    case 1:
      return std::clamp(y[0], -1.0, 1.0);
    case 2:
      return 1;
    case 3:
      return -std::clamp(y[t % y.size()], -1.0, 1.0);
    default:
      return 1e6 * random.normal();
  }
}

bool plays_on(const std::string& name, const Set& set) {
  for (const LearnerFamily& family : learner_families()) {
    if (family.name == name) return family.plays_on(set);
  }
  return true;
}

}  // namespace keyhole::tests
