#include "sets/combinations/product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/sums.h"
#include "sets/combinations/append_rows.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Calls of(k, first) for each set of the list and its first coordinate.
template <class Function>
void for_each_block(const std::vector<SetPtr>& sets, const Function& of) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    of(k, first);
    first += sets[k]->dimension();
  }
}

std::size_t total_dimension(const std::vector<SetPtr>& sets) {
  std::size_t n = 0;
  for (const SetPtr& set : sets) n += set->dimension();
  return n;
}

std::size_t total_hull_dimension(const std::vector<SetPtr>& sets) {
  std::size_t n = 0;
  for (const SetPtr& set : sets) n += set->hull_dimension();
  return n;
}

/// p side by side, r = min r_i, R^2 = sum R_i^2, D^2 = sum D_i^2.
Geometry side_by_side(const std::vector<Geometry>& parts) {
  Geometry result{.centre = {}, .inner_radius = parts.front().inner_radius};
  Vector outer_radii;
  Vector diameters;
  for (const Geometry& part : parts) {
    result.centre.insert(result.centre.end(), part.centre.begin(), part.centre.end());
    result.inner_radius = std::min(result.inner_radius, part.inner_radius);
    outer_radii.push_back(part.outer_radius);
    diameters.push_back(part.diameter);
    result.outer_radius_exact = result.outer_radius_exact && part.outer_radius_exact;
    result.diameter_exact = result.diameter_exact && part.diameter_exact;
  }
  result.outer_radius = math::norm(outer_radii);
  result.diameter = math::norm(diameters);
  return result;
}

Geometry geometry_of(const std::vector<SetPtr>& sets) {
  std::vector<Geometry> parts;
  for (const SetPtr& set : sets) parts.push_back(set->geometry());
  return side_by_side(parts);
}

class ProductOracle final : public Oracle {
 public:
  ProductOracle(const Set& product, const std::vector<SetPtr>& sets)
      : sets_(sets),
        oracles_(oracles_of(sets)),
        vertices_(sets.size()),
        dense_(product.dimension()),
        indices_(product.dimension()),
        values_(product.dimension()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t entries = 0;
    bool sparse = true;
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      const Vertex& v = oracles_[k]->minimise(direction.subspan(first, sets_[k]->dimension()));
      vertices_[k] = v;
      entries += v.indices.size();
      sparse = sparse && v.dense.empty() && v.left.empty();
    });
    if (sparse && entries <= indices_.size()) {
      gather_entries();
      vertex_ = {{}, std::span(indices_).first(entries), std::span(values_).first(entries)};
    } else {
      for_each_block(sets_, [&](std::size_t k, std::size_t first) {
        vertices_[k].write_to(std::span(dense_).subspan(first, sets_[k]->dimension()));
      });
      vertex_ = {dense_, {}, {}};
    }
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      const std::size_t n = sets_[k]->dimension();
      oracles_[k]->project(point.subspan(first, n), nearest.subspan(first, n));
    });
    return true;
  }

  /// gamma(w) = max_k gamma_k(w_k), with the subgradient of the first that takes it.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    double gamma = 0;
    std::span<double> of_largest = {};
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      const std::size_t n = sets_[k]->dimension();
      std::span<double> block = subgradient.subspan(first, n);
      const double of_block = oracles_[k]->gauge(w.subspan(first, n), block);
      if (of_block > gamma) {
        gamma = of_block;
        std::swap(block, of_largest);
      }
      std::fill(block.begin(), block.end(), 0.0);
    });
    return gamma;
  }

  void settle(std::span<double> point) override {
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      oracles_[k]->settle(point.subspan(first, sets_[k]->dimension()));
    });
  }

 private:
  void gather_entries() {
    std::size_t next = 0;
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      for (std::size_t e = 0; e < vertices_[k].indices.size(); ++e, ++next) {
        indices_[next] = first + vertices_[k].indices[e];
        values_[next] = vertices_[k].values[e];
      }
    });
  }

  const std::vector<SetPtr>& sets_;
  std::vector<std::unique_ptr<Oracle>> oracles_;
  std::vector<Vertex> vertices_;
  Vector dense_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

/// What the explorations of the sets come to side by side.
struct Explorations {
  std::vector<std::unique_ptr<Exploration>> parts;
  Vector mean;
  Vector variance;
  double squared_radius = 0;
  double squared_extent = 0;
  RandomNeeds needs;

  explicit Explorations(const std::vector<SetPtr>& sets) {
    for (const SetPtr& set : sets) {
      parts.push_back(set->exploration());
      const Exploration& part = *parts.back();
      mean.insert(mean.end(), part.mean().begin(), part.mean().end());
      variance.insert(variance.end(), part.variance().begin(), part.variance().end());
      squared_radius += part.squared_radius();
      squared_extent += part.squared_extent();
      needs.words += part.needs().words;
      needs.normals += part.needs().normals;
    }
  }
};

/// Independent draws: the covariance has the blocks of the sets and nothing besides them.
class SideBySide final : public Exploration {
 public:
  explicit SideBySide(Explorations of)
      : Exploration(std::move(of.mean), std::move(of.variance), of.squared_radius, of.needs,
                    of.squared_extent),
        parts_(std::move(of.parts)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    each(bits, v, [](Exploration& part, const RandomBits& own, std::span<double> block) {
      part.draw(own, block);
    });
  }
  void score(const RandomBits& bits, std::span<double> w) override {
    each(bits, w, [](Exploration& part, const RandomBits& own, std::span<double> block) {
      part.score(own, block);
    });
  }

 private:
  template <class Function>
  void each(const RandomBits& bits, std::span<double> x, const Function& write) {
    std::size_t word = 0;
    std::size_t normal = 0;
    std::size_t first = 0;
    for (const auto& part : parts_) {
      const auto [words, normals] = part->needs();
      const std::size_t n = part->mean().size();
      write(*part, {bits.words.subspan(word, words), bits.normals.subspan(normal, normals)},
            x.subspan(first, n));
      word += words;
      normal += normals;
      first += n;
    }
  }

  std::vector<std::unique_ptr<Exploration>> parts_;
};

class Product final : public Set {
 public:
  Product(std::vector<SetPtr> sets, std::string spec)
      : Set(total_dimension(sets), total_hull_dimension(sets), geometry_of(sets)),
        sets_(std::move(sets)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ProductOracle>(*this, sets_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<SideBySide>(Explorations(sets_));
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    bool inside = true;
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      inside = inside && sets_[k]->contains(x.subspan(first, sets_[k]->dimension()));
    });
    return inside;
  }

  [[nodiscard]] bool can_project() const noexcept override {
    return std::all_of(sets_.begin(), sets_.end(),
                       [](const SetPtr& set) { return set->can_project(); });
  }
  [[nodiscard]] bool can_gauge() const noexcept override {
    return std::all_of(sets_.begin(), sets_.end(),
                       [](const SetPtr& set) { return set->can_gauge(); });
  }

  void flatten(std::span<double> direction) const override {
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      sets_[k]->flatten(direction.subspan(first, sets_[k]->dimension()));
    });
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    std::vector<Geometry> parts;
    for_each_block(sets_, [&](std::size_t k, std::size_t first) {
      parts.push_back(sets_[k]->geometry_about(centre.subspan(first, sets_[k]->dimension())));
    });
    return side_by_side(parts);
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    PolytopeConstraints all{.n = dimension()};
    std::size_t first = 0;
    for (const SetPtr& set : sets_) {
      const std::optional<PolytopeConstraints> part = set->linear_description();
      if (!part) return std::nullopt;
      const auto append = [&](std::vector<double>& to, const std::vector<double>& from,
                              double none) {
        to.insert(to.end(), from.begin(), from.end());
        to.resize(first + set->dimension(), none);  // none are given, or all
      };
      append(all.lower, part->lower, -unbounded);
      append(all.upper, part->upper, unbounded);
      append_rows(all.inequalities, part->inequalities, set->dimension(), first, "inequality",
                  of_set(*set));
      append_rows(all.equalities, part->equalities, set->dimension(), first, "equality",
                  of_set(*set));
      first += set->dimension();
    }
    return all;
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

  [[nodiscard]] const std::vector<SetPtr>& sets() const noexcept { return sets_; }

 private:
  std::vector<SetPtr> sets_;
  std::string spec_;
};

}  // namespace

std::vector<SetPtr> factors_of(const SetPtr& set) {
  const auto* const product = dynamic_cast<const Product*>(set.get());
  return product == nullptr ? std::vector<SetPtr>{set} : product->sets();
}

SetPtr product(std::vector<SetPtr> sets) {
  base::require(!sets.empty(), "a product needs at least one set");
  std::string spec;
  for (const SetPtr& set : sets) {
    base::require(set != nullptr, "a product needs sets, and one of them is missing");
    spec += (spec.empty() ? "product(" : ", ") + set->spec();
  }
  return std::make_shared<Product>(std::move(sets), spec + ")");
}

SetPtr path_splits(List<std::size_t> paths) {
  base::require(!paths.empty(), "path splits need at least one demand");
  std::vector<SetPtr> splits;
  std::string spec;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    base::require(paths[k] >= 2,
                  "demand " + std::to_string(k) + " has " + std::to_string(paths[k]) +
                      " paths: with fewer than 2 there is nothing to split, leave it out");
    splits.push_back(simplex(paths[k]));
    spec += (spec.empty() ? "path_splits([" : ", ") + std::to_string(paths[k]);
  }
  return std::make_shared<Product>(std::move(splits), spec + "])");
}

}  // namespace keyhole::sets
