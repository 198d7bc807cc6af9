#include <numeric>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/matroids.h"

namespace keyhole {

Matroid::Matroid(std::size_t size) : size_(size) {
  base::require(size >= 1, "a matroid needs at least one element");
}

std::size_t Matroid::rank(std::span<const std::size_t> elements) const {
  const auto independence = test();
  std::size_t count = 0;
  for (const std::size_t e : elements) count += independence->add(e) ? 1 : 0;
  return count;
}

std::size_t Matroid::rank() const {
  std::vector<std::size_t> all(size_);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return rank(all);
}

}  // namespace keyhole

namespace keyhole::sets {
namespace {

class RankMatroid final : public Matroid {
 public:
  RankMatroid(std::size_t n, RankFunction rank, std::string name)
      : Matroid(n), rank_(std::move(rank)), name_(std::move(name)) {
    const std::size_t nothing = rank_({});
    base::require(nothing == 0, "the rank of no element of the matroid " + name_ + " is " +
                                    std::to_string(nothing) + ": it must be 0");
  }

  [[nodiscard]] std::unique_ptr<IndependenceTest> test() const override;
  [[nodiscard]] std::string spec() const override { return name_; }

  /// The rank of an independent set and one element more.
  [[nodiscard]] bool keeps_independence(std::span<const std::size_t> elements) const {
    const std::size_t rank = rank_(elements);
    base::require(rank == elements.size() || rank + 1 == elements.size(),
                  "the rank of the matroid " + name_ + " rises from " +
                      std::to_string(elements.size() - 1) + " to " + std::to_string(rank) +
                      " with element " + std::to_string(elements.back()) +
                      ": it must rise by 0 or 1");
    return rank == elements.size();
  }

 private:
  RankFunction rank_;
  std::string name_;
};

class RankTest final : public IndependenceTest {
 public:
  explicit RankTest(const RankMatroid& matroid) : matroid_(matroid) {
    elements_.reserve(matroid.size());
  }

  void reset() override { elements_.clear(); }

  bool add(std::size_t element) override {
    elements_.push_back(element);
    const bool joins = matroid_.keeps_independence(elements_);
    if (!joins) elements_.pop_back();
    return joins;
  }

 private:
  const RankMatroid& matroid_;
  std::vector<std::size_t> elements_;
};

std::unique_ptr<IndependenceTest> RankMatroid::test() const {
  return std::make_unique<RankTest>(*this);
}

}  // namespace

MatroidPtr matroid_of_rank(std::size_t n, RankFunction rank, std::string name) {
  base::require(rank != nullptr, "a matroid needs a rank function, not an empty one");
  base::require(!name.empty() && name.find('\n') == std::string::npos,
                "a matroid of a rank function needs a name of one line: it stands in specs");
  return std::make_shared<RankMatroid>(n, std::move(rank), std::move(name));
}

}  // namespace keyhole::sets
