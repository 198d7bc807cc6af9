#include "sets/norm_balls/signed_subsets.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace keyhole::sets {
namespace {

class SignedSubsets final : public Exploration {
 public:
  SignedSubsets(std::vector<double> magnitudes, std::size_t k)
      : Exploration(std::vector<double>(magnitudes.size(), 0.0), variances(magnitudes, k),
                    static_cast<double>(magnitudes.size()),
                    {.words = k == magnitudes.size() ? (k + 63) / 64 : k, .normals = 0}),
        magnitudes_(std::move(magnitudes)),
        k_(k),
        order_(magnitudes_.size()) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    write(bits, v, [&](std::size_t i) { return magnitudes_[i]; });
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    const double share = static_cast<double>(w.size()) / static_cast<double>(k_);
    write(bits, w, [&](std::size_t i) { return share / magnitudes_[i]; });
  }

 private:
  static std::vector<double> variances(const std::vector<double>& magnitudes, std::size_t k) {
    const double share = static_cast<double>(k) / static_cast<double>(magnitudes.size());
    std::vector<double> result(magnitudes.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = magnitudes[i] * magnitudes[i] * share;
    }
    return result;
  }

  /// The first k steps of a Fisher-Yates shuffle choose the coordinates, a word each, whose last
  /// bit (of those that the choice does not look at) is the sign. All n need a bit each only.
  template <class Value>
  void write(const RandomBits& bits, std::span<double> x, Value value) {
    if (k_ == x.size()) {
      for (std::size_t i = 0; i < k_; ++i) {
        x[i] = ((bits.words[i / 64] >> (i % 64)) & 1U) != 0 ? value(i) : -value(i);
      }
      return;
    }
    std::fill(x.begin(), x.end(), 0.0);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t j = 0; j < k_; ++j) {
      std::swap(order_[j], order_[j + bits.below(j, x.size() - j)]);
      const std::size_t i = order_[j];
      x[i] = (bits.words[j] & 1U) != 0 ? value(i) : -value(i);
    }
  }

  std::vector<double> magnitudes_;
  std::size_t k_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::unique_ptr<Exploration> signed_subsets(std::vector<double> magnitudes, std::size_t k) {
  return std::make_unique<SignedSubsets>(std::move(magnitudes), k);
}

}  // namespace keyhole::sets
