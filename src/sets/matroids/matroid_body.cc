#include "sets/matroids/matroid_body.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/require.h"
#include "math/sums.h"
#include "sets/matroids/averaged_bases.h"
#include "sets/matroids/averaged_trees.h"
#include "sets/matroids/graph_blocks.h"

namespace keyhole::sets {
namespace {

constexpr std::size_t most_general_elements = 2000;
constexpr std::size_t most_graph_edges = 1'000'000;
/// With more, counting all exchanges leaves time for too few trees.
constexpr std::size_t most_edges_with_all_exchanges = 200;

double sum_over_elements(const MatroidElements& elements, std::span<const double> x) {
  return math::reduce(elements.size(), [&](std::size_t k) { return x[elements[k]]; });
}

/// The p_i of a component that is covered evenly to the share theta: with x(S) <= rank(S), where
/// rank(S) >= max(1, theta |S|), all inequalities are at least p_i away.
double even_height(double theta) { return theta / (1 + std::sqrt(theta)); }

}  // namespace

MatroidBody::MatroidBody(MatroidPtr matroid, bool bases)
    : matroid_(std::move(matroid)),
      laminar_(dynamic_cast<const LaminarMatroid*>(matroid_.get())),
      graphic_(dynamic_cast<const GraphicMatroid*>(matroid_.get())),
      bases_(bases),
      rank_(matroid_->rank()) {
  const std::size_t n = matroid_->size();
  const std::size_t most = graphic_ != nullptr ? most_graph_edges : most_general_elements;
  base::require(laminar_ != nullptr || n <= most,
                "a matroid of " + std::to_string(n) +
                    " elements is too large for what is worked out about it: unless it is uniform, "
                    "partition or laminar it can have up to " +
                    std::to_string(most));
  const auto test = matroid_->test();
  alone_value_.assign(n, 1.0);
  for (std::size_t e = 0; e < n; ++e) {
    if (!is_loop(e, *test)) continue;
    alone_value_[e] = 0;
  }
  if (graphic_ != nullptr) {
    components_ = GraphBlocks(graphic_->nodes(), graphic_->edges()).blocks;
  } else {
    components_ = laminar_ != nullptr ? laminar_->components() : matroid_components(*matroid_);
  }
  base::require(!bases_ || !components_.empty(),
                matroid_->spec() + " has a single base: there is nothing to choose");
  component_of_.assign(n, components_.size());
  for (std::size_t c = 0; c < components_.size(); ++c) {
    component_ranks_.push_back(static_cast<double>(matroid_->rank(components_[c])));
    for (const std::size_t e : components_[c]) component_of_[e] = c;
  }
  connected_ = components_.size() == 1 && components_[0].size() == n &&
               std::is_sorted(components_[0].begin(), components_[0].end());
  for (std::size_t e = 0; e < n; ++e) axis_norms_.push_back(norm_within({e}));
  list_rows();
  std::vector<double> p(n);
  const std::optional<double> r = place_centre(p);
  geometry_ = {p, r ? *r : inner_radius(p), outer_radius(p)};
  set_diameter(geometry_);
}

bool MatroidBody::is_large() const {
  return laminar_ == nullptr && matroid_->size() > most_general_elements;
}

bool MatroidBody::is_loop(std::size_t e, IndependenceTest& test) const {
  if (laminar_ != nullptr) return laminar_->is_loop(e);
  if (graphic_ != nullptr) return graphic_->edges()[e].from == graphic_->edges()[e].to;
  test.reset();
  return !test.add(e);
}

std::size_t MatroidBody::hull_dimension() const {
  if (!bases_) return matroid_->size();
  std::size_t dimension = 0;
  for (const MatroidElements& component : components_) dimension += component.size() - 1;
  return dimension;
}

void MatroidBody::list_rows() {
  const auto add = [&](const MatroidElements& elements, double limit) {
    rows_.push_back({elements, limit, norm_within(elements)});
  };
  if (laminar_ != nullptr) {
    has_rows_ = true;
    for (const LaminarSet& set : laminar_->sets()) {
      if (set.elements.size() > set.rank) add(set.elements, static_cast<double>(set.rank));
    }
    return;
  }
  has_rows_ = std::all_of(components_.begin(), components_.end(), [](const auto& component) {
    return component.size() <= MatroidTable::most_elements;
  });
  if (!has_rows_) return;
  for (const MatroidElements& component : components_) {
    const MatroidTable table(*matroid_, component);
    for (const MatroidFlat& flat : table.flats()) add(flat.elements, flat.rank);
    means_.push_back(table.mean_of_bases());
    densities_.push_back(table.least_density());
  }
}

double MatroidBody::norm_within(const MatroidElements& elements) const {
  if (!bases_) return std::sqrt(static_cast<double>(elements.size()));
  // Of s of the m elements of a component: s - s^2 / m.
  MatroidElements components;
  for (const std::size_t e : elements) {
    if (component_of_[e] < components_.size()) components.push_back(component_of_[e]);
  }
  std::sort(components.begin(), components.end());
  double square = 0;
  for (auto first = components.begin(); first != components.end();) {
    const auto last = std::upper_bound(first, components.end(), *first);
    const auto count = static_cast<double>(last - first);
    square += count * (1 - count / static_cast<double>(components_[*first].size()));
    first = last;
  }
  return std::sqrt(square);
}

void MatroidBody::flatten(std::span<double> direction) const {
  if (!bases_) return;
  if (connected_) {
    const double mean = math::sum(direction) / static_cast<double>(direction.size());
    for (double& coordinate : direction) coordinate -= mean;
    return;
  }
  for (std::size_t e = 0; e < direction.size(); ++e) {
    if (component_of_[e] == components_.size()) direction[e] = 0;
  }
  for (const MatroidElements& component : components_) {
    const double mean =
        sum_over_elements(component, direction) / static_cast<double>(component.size());
    for (const std::size_t e : component) direction[e] -= mean;
  }
}

void MatroidBody::move_to_bases(std::span<double> point) const {
  for (std::size_t e = 0; e < point.size(); ++e) {
    if (component_of_[e] == components_.size()) point[e] = alone_value_[e];
  }
  for (std::size_t c = 0; c < components_.size(); ++c) {
    const auto size = static_cast<double>(components_[c].size());
    const double mean = sum_over_elements(components_[c], point) / size;
    for (const std::size_t e : components_[c]) {
      point[e] = (point[e] - mean) + component_ranks_[c] / size;
    }
  }
}

bool MatroidBody::on_hull(std::span<const double> x, double slack) const {
  if (!bases_) return true;
  for (std::size_t e = 0; e < x.size(); ++e) {
    const bool alone = component_of_[e] == components_.size();
    if (alone && !(std::abs(x[e] - alone_value_[e]) <= slack)) return false;
  }
  for (std::size_t c = 0; c < components_.size(); ++c) {
    if (!(std::abs(sum_over_elements(components_[c], x) - component_ranks_[c]) <= slack))
      return false;
  }
  return true;
}

double MatroidBody::most(std::span<const double> weights) const {
  MatroidElements order;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    if (bases_ || weights[e] > 0) order.push_back(e);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t e, std::size_t f) {
    return weights[e] != weights[f] ? weights[e] > weights[f] : e < f;
  });
  const auto test = matroid_->test();
  MatroidElements taken;
  for (const std::size_t e : order) {
    if (test->add(e)) taken.push_back(e);
  }
  return sum_over_elements(taken, weights);
}

double MatroidBody::inner_radius(std::span<const double> p) const {
  double r = 1;
  for (std::size_t e = 0; e < p.size(); ++e) {
    if (axis_norms_[e] > 0) r = std::min(r, std::min(p[e], 1 - p[e]) / axis_norms_[e]);
  }
  for (const MatroidRow& row : rows_) {
    if (row.norm > 0) r = std::min(r, (row.limit - sum_over_elements(row.elements, p)) / row.norm);
  }
  return r;
}

double MatroidBody::gauge(std::span<const double> p, std::span<const double> w,
                          std::span<double> subgradient) const {
  std::fill(subgradient.begin(), subgradient.end(), 0.0);
  double gamma = 0;
  double slope = 0;
  std::size_t axis = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double off = w[i] - p[i];
    const double room = off > 0 ? 1 - p[i] : -p[i];
    if (!(axis_norms_[i] > 0) || !(off / room > gamma)) continue;
    gamma = off / room;
    slope = 1 / room;
    axis = i;
  }
  const MatroidRow* first = nullptr;
  for (const MatroidRow& row : rows_) {
    if (!(row.norm > 0)) continue;
    const double room = row.limit - sum_over_elements(row.elements, p);
    const double off = math::reduce(row.elements.size(), [&](std::size_t k) {
      return w[row.elements[k]] - p[row.elements[k]];
    });
    if (!(off / room > gamma)) continue;
    gamma = off / room;
    slope = 1 / room;
    first = &row;
  }
  if (first == nullptr) {
    subgradient[axis] = slope;
  } else {
    for (const std::size_t e : first->elements) subgradient[e] = slope;
  }
  return gamma;
}

double MatroidBody::outer_radius(std::span<const double> p) const {
  // ||v - p||^2 = ||p||^2 + sum over v of 1 - 2 p_e is linear in a vertex v.
  std::vector<double> weights(p.size());
  for (std::size_t e = 0; e < p.size(); ++e) weights[e] = 1 - 2 * p[e];
  return std::sqrt(math::squared_norm(p) + most(weights));
}

void MatroidBody::set_diameter(Geometry& geometry) const {
  const std::size_t n = matroid_->size();
  // Two bases that cover c elements differ in 2 (c - rank) of them, independent sets in c at most.
  const auto differing = [&](std::size_t covered) {
    return std::sqrt(static_cast<double>(bases_ ? 2 * (covered - rank_) : covered));
  };
  if (laminar_ != nullptr) {
    geometry.diameter = differing(laminar_->covered_by_two());
    return;
  }
  // Loops are covered by none; a second base is taken from outside the first as far as it goes.
  const double loops = static_cast<double>(n) - math::sum(alone_value_);
  const std::size_t most_covered = std::min(n - static_cast<std::size_t>(loops), 2 * rank_);
  const auto test = matroid_->test();
  MatroidElements first;
  MatroidElements others;
  for (std::size_t e = 0; e < n; ++e) (test->add(e) ? first : others).push_back(e);
  geometry.diameter_exact = rank_ + matroid_->rank(others) == most_covered;
  geometry.diameter =
      std::max(geometry.outer_radius, std::min(differing(most_covered), 2 * geometry.outer_radius));
}

Geometry MatroidBody::geometry_about(std::span<const double> p) const {
  Geometry geometry{{p.begin(), p.end()}, inner_radius(p), outer_radius(p)};
  set_diameter(geometry);
  return geometry;
}

std::optional<double> MatroidBody::place_centre(std::vector<double>& p) const {
  for (std::size_t e = 0; e < p.size(); ++e) p[e] = bases_ ? alone_value_[e] : 0.5;
  if (laminar_ != nullptr) {
    place_in_laminar(p);
    return {};
  }
  if (!has_rows_) return place_by_bases(p);
  for (std::size_t c = 0; c < components_.size(); ++c) {
    for (std::size_t k = 0; k < components_[c].size(); ++k) {
      p[components_[c][k]] = bases_ ? means_[c][k] : even_height(densities_[c]);
    }
  }
  return {};
}

void MatroidBody::place_in_laminar(std::vector<double>& p) const {
  const std::vector<LaminarSet>& sets = laminar_->sets();
  if (bases_) {
    // The total of each set, shared between its parts in proportion to their ranks: as long as some
    // limit forbids something every part has less than its rank.
    std::vector<double> share(sets.size(), 1.0);  // of the ranks inside
    for (std::size_t k = sets.size(); k-- > 0;) {
      const double around = sets[k].parent == k ? 1 : share[sets[k].parent];
      if (sets[k].rank_inside == 0) continue;
      share[k] =
          around * static_cast<double>(sets[k].rank) / static_cast<double>(sets[k].rank_inside);
    }
    for (std::size_t e = 0; e < p.size(); ++e) {
      if (component_of_[e] < components_.size()) p[e] = share[laminar_->smallest_set(e)];
    }
    return;
  }
  std::vector<double> densities(components_.size() + 1, 1.0);
  for (const LaminarSet& set : sets) {
    const std::size_t c = component_of_[set.elements.front()];
    const bool within = component_of_[set.elements.back()] == c && set.rank < set.elements.size() &&
                        set.elements.size() <= (c < components_.size() ? components_[c].size() : 0);
    if (!within) continue;
    densities[c] = std::min(
        densities[c], static_cast<double>(set.rank) / static_cast<double>(set.elements.size()));
  }
  for (std::size_t e = 0; e < p.size(); ++e) p[e] = even_height(densities[component_of_[e]]);
}

double MatroidBody::place_by_bases(std::vector<double>& p) const {
  AveragedBases bases(*matroid_);
  double r = 1;
  if (bases_) {
    std::vector<double> slacks;
    std::vector<double> mean;
    if (graphic_ != nullptr && matroid_->size() > most_edges_with_all_exchanges) {
      AveragedTrees trees(*graphic_, GraphBlocks(graphic_->nodes(), graphic_->edges()));
      slacks = std::move(trees.slacks);
      mean = std::move(trees.mean);
    } else {
      slacks = bases.add_random(components_);
      mean = bases.mean();
    }
    for (std::size_t c = 0; c < components_.size(); ++c) {
      for (const std::size_t e : components_[c]) p[e] = mean[e];
      // The indicator vector of s of m elements has the length sqrt(s - s^2 / m) <= sqrt(m) / 2.
      r = std::min(r, 2 * slacks[c] / std::sqrt(static_cast<double>(components_[c].size())));
    }
    return r;
  }
  bases.add_even();
  const std::vector<double> mean = bases.mean();
  // So few bases may leave out elements of a large graph; k forests have all of its edges.
  double least = 0;
  if (is_large()) {
    least = 1 / static_cast<double>(degeneracy(graphic_->nodes(), graphic_->edges()));
  }
  for (const MatroidElements& component : components_) {
    double theta = 1;
    for (const std::size_t e : component) theta = std::min(theta, mean[e]);
    for (const std::size_t e : component) p[e] = even_height(std::max(theta, least));
  }
  return *std::min_element(p.begin(), p.end());
}

}  // namespace keyhole::sets
