#include "sets/matroids/restriction.h"

#include <memory>
#include <utility>

#include "sets/matroids/graphic_matroid.h"
#include "sets/matroids/laminar_matroid.h"

namespace keyhole::sets {
namespace {

class RestrictedTest final : public IndependenceTest {
 public:
  RestrictedTest(std::unique_ptr<IndependenceTest> test, const std::vector<std::size_t>& kept)
      : test_(std::move(test)), kept_(kept) {}

  void reset() override { test_->reset(); }
  bool add(std::size_t element) override { return test_->add(kept_[element]); }

 private:
  std::unique_ptr<IndependenceTest> test_;
  const std::vector<std::size_t>& kept_;
};

class RestrictedMatroid final : public Matroid {
 public:
  RestrictedMatroid(MatroidPtr whole, std::vector<std::size_t> kept)
      : Matroid(kept.size()), whole_(std::move(whole)), kept_(std::move(kept)) {}

  [[nodiscard]] std::unique_ptr<IndependenceTest> test() const override {
    return std::make_unique<RestrictedTest>(whole_->test(), kept_);
  }
  [[nodiscard]] std::string spec() const override { return whole_->spec(); }

 private:
  MatroidPtr whole_;
  std::vector<std::size_t> kept_;
};

}  // namespace

std::vector<bool> loops_of(const Matroid& matroid) {
  std::vector<bool> result(matroid.size());
  const auto* const laminar = dynamic_cast<const LaminarMatroid*>(&matroid);
  const auto test = matroid.test();
  for (std::size_t e = 0; e < matroid.size(); ++e) {
    test->reset();
    result[e] = laminar != nullptr ? laminar->is_loop(e) : !test->add(e);
  }
  return result;
}

MatroidPtr without(const MatroidPtr& matroid, const std::vector<bool>& left_out) {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> place(left_out.size());
  for (std::size_t e = 0; e < left_out.size(); ++e) {
    place[e] = kept.size();
    if (!left_out[e]) kept.push_back(e);
  }
  if (kept.size() == left_out.size()) return matroid;
  if (const auto* graphic = dynamic_cast<const GraphicMatroid*>(matroid.get())) {
    std::vector<Edge> edges;
    for (const std::size_t e : kept) edges.push_back(graphic->edges()[e]);
    return std::make_shared<GraphicMatroid>(graphic->nodes(), edges);
  }
  if (const auto* laminar = dynamic_cast<const LaminarMatroid*>(matroid.get())) {
    std::vector<std::vector<std::size_t>> sets;
    std::vector<std::size_t> limits;
    for (const LaminarSet& set : laminar->sets()) {
      std::vector<std::size_t> elements;
      for (const std::size_t e : set.elements) {
        if (!left_out[e]) elements.push_back(place[e]);
      }
      if (elements.empty()) continue;
      sets.push_back(std::move(elements));
      limits.push_back(set.limit);
    }
    return std::make_shared<LaminarMatroid>(kept.size(), sets, limits, laminar->spec());
  }
  return std::make_shared<RestrictedMatroid>(matroid, std::move(kept));
}

}  // namespace keyhole::sets
