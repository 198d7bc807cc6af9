#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/algorithm.h"
#include "keyhole/gradient_algorithm.h"

namespace keyhole::algorithms {

/// Throws InvalidArgument for an algorithm whose contexts or limits a wrapper of that name, which
/// passes neither on, would hide.
template <class Kind>
void require_plain(const std::string& name, const Kind& algorithm) {
  base::require(
      algorithm.contexts() == 0,
      name + " needs an algorithm that takes no contexts, and " + algorithm.spec() + " does");
  if constexpr (requires { algorithm.metrics(); }) {
    base::require(algorithm.metrics() == 0, name + " needs an algorithm without limits, and " +
                                                algorithm.spec() + " has some");
  }
}

/// An algorithm around another one, of either kind: what it does not do itself, that one does.
/// `Interface` is what it is to its caller, such as an Algorithm; `Inner` is what it wraps.
template <class Interface, class Inner>
class Forwarding : public Interface {
 public:
  using Told = typename Interface::Told;

  explicit Forwarding(std::unique_ptr<Inner> inner)
      : Interface(inner->shared_set(), nullptr), inner_(std::move(inner)) {}
  /// On another set than the one inside; see OnAnotherSet.
  Forwarding(SetPtr set, std::unique_ptr<Inner> inner)
      : Interface(std::move(set), nullptr), inner_(std::move(inner)) {}

  void prepare(Randomness& random) override { inner_->prepare(random); }
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    inner_->play(t, random, y);
  }
  bool absorb(PlayId s, Told told, Randomness& random) override {
    return inner_->absorb(s, told, random);
  }
  [[nodiscard]] bool is_late(PlayId s) const override { return inner_->is_late(s); }
  [[nodiscard]] PlayId pair_of(PlayId t) const override { return inner_->pair_of(t); }
  void advance() override { inner_->advance(); }
  void recommend(std::span<double> x) const override { inner_->recommend(x); }
  void state(Archive& archive) override { inner_->state(archive); }
  [[nodiscard]] std::uint64_t oracle_calls() const noexcept override {
    return inner_->oracle_calls();
  }
  [[nodiscard]] Oracle& oracle() noexcept override { return inner_->oracle(); }
  [[nodiscard]] Activity activity() const override { return inner_->activity(); }

 protected:
  [[nodiscard]] Inner& inner() const noexcept { return *inner_; }
  /// Wraps another one from now on, on the same set.
  void replace(std::unique_ptr<Inner> inner) { inner_ = std::move(inner); }

 private:
  std::unique_ptr<Inner> inner_;
};

/// The same with the inner algorithm's bound on what is told.
template <class Interface, class Inner, class Told = typename Interface::Told>
class Wrapper;

/// M, of algorithms that are told losses.
template <class Interface, class Inner>
class Wrapper<Interface, Inner, Algorithm::Told> : public Forwarding<Interface, Inner> {
 public:
  using Forwarding<Interface, Inner>::Forwarding;
  [[nodiscard]] double loss_bound() const noexcept override { return this->inner().loss_bound(); }
};

/// G, of algorithms that are told gradients.
template <class Interface, class Inner>
class Wrapper<Interface, Inner, GradientAlgorithm::Told> : public Forwarding<Interface, Inner> {
 public:
  using Forwarding<Interface, Inner>::Forwarding;
  [[nodiscard]] double gradient_bound() const noexcept override {
    return this->inner().gradient_bound();
  }
};

/// A wrapper on another set than the algorithm inside, which has draws of its own on its set.
template <class Interface, class Inner>
class OnAnotherSet : public Wrapper<Interface, Inner> {
 public:
  /// `stream` names where the key of these draws comes from.
  OnAnotherSet(const SetPtr& set, std::unique_ptr<Inner> inner, std::string_view stream)
      : Wrapper<Interface, Inner>(set, std::move(inner)), stream_(stream), oracle_(set->oracle()) {}

  void prepare(Randomness& random) override {
    std::array<std::uint64_t, 2> key{};
    random.sub_stream(stream_).words(0, key);
    inside_ = std::make_unique<Randomness>(this->inner().shared_set(), key[0], key[1]);
    this->inner().prepare(*inside_);
  }
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    this->play_in(t, {}, random, y);
  }
  bool absorb(PlayId s, double loss, Randomness& /*random*/) override {
    return this->inner().absorb(s, loss, *inside_);
  }
  [[nodiscard]] Oracle& oracle() noexcept override { return *oracle_; }

 protected:
  /// The draws of the algorithm inside.
  [[nodiscard]] Randomness& inside() const noexcept { return *inside_; }

 private:
  std::string_view stream_;
  std::unique_ptr<Oracle> oracle_;
  std::unique_ptr<Randomness> inside_;
};

/// A wrapper that can start its algorithm again. The state of construction is kept as bytes and
/// read back, so an algorithm needs no way to forget besides the list of fields that it has anyway.
template <class Interface, class Inner>
class Renewing : public Wrapper<Interface, Inner> {
 public:
  /// Takes an algorithm that has not played yet.
  explicit Renewing(std::unique_ptr<Inner> algorithm)
      : Wrapper<Interface, Inner>(std::move(algorithm)) {
    Archive archive;
    this->inner().state(archive);
    at_first_ = std::move(archive).take();
  }

  void state(Archive& archive) override {
    this->inner().state(archive);
    archive.field(calls_before_);
  }
  [[nodiscard]] std::uint64_t oracle_calls() const noexcept override {
    return calls_before_ + this->inner().oracle_calls();
  }

 protected:
  /// Forgets everything; the count of oracle calls goes on.
  void begin_again() {
    calls_before_ += this->inner().oracle_calls();
    Archive archive(at_first_);
    this->inner().state(archive);
  }

 private:
  std::vector<std::byte> at_first_;
  // State, with the inner algorithm's.
  std::uint64_t calls_before_ = 0;
};

/// A wrapper, `Base`, that plays in windows: the inner algorithm knows nothing of the windows
/// before. What comes in for a play of an earlier window is late. The point recommended is that of
/// the window before until the current one is half over.
template <class Base>
class Windowed : public Base {
 public:
  using Told = typename Base::Told;
  using Base::Base;

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (played_ == length()) {
      this->inner().recommend(previous_);
      begin_window();
      played_ = 0;
      first_ = t;
    }
    ++played_;
    this->inner().play(t, random, y);
  }

  bool absorb(PlayId s, Told told, Randomness& random) override {
    return s >= first_ && this->inner().absorb(s, told, random);
  }
  [[nodiscard]] bool is_late(PlayId s) const override {
    return s < first_ || this->inner().is_late(s);
  }

  [[nodiscard]] Activity activity() const override {
    Activity now = Base::activity();
    now.restarts += windows_before();
    return now;
  }

  void recommend(std::span<double> x) const override {
    if (first_ > 1 && played_ < length() / 2) {
      std::copy(previous_.begin(), previous_.end(), x.begin());
    } else {
      this->inner().recommend(x);
    }
  }

  void state(Archive& archive) override {
    Base::state(archive);
    archive.field(played_);
    archive.field(first_);
    archive.field(previous_);
  }

 protected:
  /// The first play of this window.
  [[nodiscard]] PlayId first() const noexcept { return first_; }

 private:
  /// The rounds of the current window.
  [[nodiscard]] virtual std::uint64_t length() const noexcept = 0;
  /// How many windows there were before the current one.
  [[nodiscard]] virtual std::uint64_t windows_before() const noexcept = 0;
  /// Starts the inner algorithm for the next window.
  virtual void begin_window() = 0;

  // State, with the inner algorithm's.
  std::uint64_t played_ = 0;  // rounds of this window
  PlayId first_ = 1;          // the first play of this window
  // What the window before recommended at its end.
  std::vector<double> previous_ = std::vector<double>(this->set().dimension());
};

}  // namespace keyhole::algorithms
