#pragma once

// A set that passes everything on to another and remembers what its oracles were asked, so that the
// same questions can be asked again with a clock running.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/set.h"

namespace keyhole::bench {

/// The latest questions, in order, and how many there were in all.
class Questions {
 public:
  /// Keeps up to `most` vectors of the dimension n.
  Questions(std::size_t n, std::size_t most) : n_(n), most_(most) {}

  /// Remembers one.
  void note(std::span<const double> question) {
    const std::size_t slot = count_ % most_;
    if (slot == numbers_.size() / n_) numbers_.resize(numbers_.size() + n_);
    std::copy(question.begin(), question.end(), &numbers_[slot * n_]);
    ++count_;
  }

  /// How many there were.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// How many are kept.
  [[nodiscard]] std::size_t kept() const { return numbers_.size() / n_; }
  /// The k-th of those kept, the oldest first, counted around.
  [[nodiscard]] std::span<const double> operator[](std::size_t k) const {
    const std::size_t oldest = count_ > most_ ? count_ % most_ : 0;
    return std::span(numbers_).subspan((oldest + k) % kept() * n_, n_);
  }

 private:
  std::size_t n_;
  std::size_t most_;
  std::uint64_t count_ = 0;
  std::vector<double> numbers_;
};

/// What the oracles of a watched set were asked.
struct Watch {
  /// Directions that were minimised.
  Questions directions;
  /// Points that were projected.
  Questions points;
  /// How many of these were not in the set, so that the projection moved them.
  std::uint64_t moved = 0;
};

/// Passes everything on. Not thread-safe.
class WatchedSet final : public Set {
 public:
  explicit WatchedSet(SetPtr of)
      : Set(of->dimension(), of->hull_dimension(), of->geometry()),
        watch{{dimension(), most(dimension())}, {dimension(), most(dimension())}},
        of_(std::move(of)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<WatchedOracle>(*of_, watch);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return of_->exploration();
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override { return of_->contains(x); }
  [[nodiscard]] bool can_project() const noexcept override { return of_->can_project(); }
  [[nodiscard]] bool can_gauge() const noexcept override { return of_->can_gauge(); }
  void flatten(std::span<double> direction) const override { of_->flatten(direction); }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return of_->geometry_about(centre);
  }
  [[nodiscard]] std::string spec() const override { return of_->spec(); }

  mutable Watch watch;

 private:
  class WatchedOracle final : public Oracle {
   public:
    WatchedOracle(const Set& set, Watch& watch)
        : oracle_(set.oracle()),
          watch_(watch),
          before_(set.dimension()),
          shortest_(1e-9 * set.outer_radius()) {}

    const Vertex& do_minimise(std::span<const double> direction) override {
      watch_.directions.note(direction);
      return oracle_->minimise(direction);
    }
    bool do_project(std::span<const double> point, std::span<double> nearest) override {
      watch_.points.note(point);
      std::copy(point.begin(), point.end(), before_.begin());
      oracle_->project(point, nearest);
      double squares = 0;
      for (std::size_t i = 0; i < before_.size(); ++i) {
        squares += (nearest[i] - before_[i]) * (nearest[i] - before_[i]);
      }
      if (std::sqrt(squares) > shortest_) ++watch_.moved;
      return true;
    }
    double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
      return oracle_->gauge(w, subgradient);
    }
    void settle(std::span<double> point) override { oracle_->settle(point); }

   private:
    std::unique_ptr<Oracle> oracle_;
    Watch& watch_;
    std::vector<double> before_;
    double shortest_;
  };

  /// As many as fit in 8 MB, but no more than 300 and at least 4.
  static std::size_t most(std::size_t n) { return std::clamp<std::size_t>(1'000'000 / n, 4, 300); }

  SetPtr of_;
};

}  // namespace keyhole::bench
