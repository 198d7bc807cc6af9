#include "problems/mapped.h"

#include <algorithm>
#include <utility>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// y = matrix x, or x for an empty matrix.
void multiply(std::span<const double> matrix, std::span<const double> x, std::span<double> y) {
  const std::size_t n = x.size();
  if (matrix.empty()) std::copy(x.begin(), x.end(), y.begin());
  for (std::size_t i = 0; i * n < matrix.size(); ++i) {
    y[i] = math::dot(matrix.subspan(i * n, n), x);
  }
}

/// slope = matrix' g.
void multiply_transposed(std::span<const double> matrix, std::span<const double> g,
                         std::span<double> slope) {
  const std::size_t n = g.size();
  if (matrix.empty()) {
    std::copy(g.begin(), g.end(), slope.begin());
    return;
  }
  std::fill(slope.begin(), slope.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) math::add(slope, g[i], matrix.subspan(i * n, n));
}

/// F(x) = that of y.
class TotalMapped final : public TotalLoss {
 public:
  TotalMapped(std::unique_ptr<TotalLoss> total, const LinearMap& map, std::size_t n)
      : total_(std::move(total)), map_(map), y_(n), along_(n) {}

  void add() override { total_->add(); }
  [[nodiscard]] double value(std::span<const double> x) const override {
    multiply(map_.b, x, y_);
    return total_->value(y_);
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    multiply(map_.b, x, y_);
    total_->gradient(y_, along_);
    multiply_transposed(map_.b, along_, gradient);
  }
  bool guess(std::span<double> x) const override {
    const bool known = total_->guess(y_);
    multiply(map_.a, y_, x);
    return known;
  }
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    multiply(map_.b, x, y_);
    multiply(map_.b, d, along_);
    return total_->line_minimum(y_, along_, longest);
  }

 private:
  std::unique_ptr<TotalLoss> total_;
  const LinearMap& map_;
  mutable Vector y_;
  mutable Vector along_;  // a direction or a gradient
};

class Mapped final : public Problem {
 public:
  Mapped(std::unique_ptr<Problem> problem, SetPtr image, LinearMap map, std::string spec)
      : Problem(std::move(image)),
        problem_(std::move(problem)),
        map_(std::move(map)),
        spec_(std::move(spec)),
        y_(this->set().dimension()),
        slope_(y_.size()) {}

  [[nodiscard]] std::string spec() const override { return spec_; }
  [[nodiscard]] std::uint64_t rounds() const noexcept override { return problem_->rounds(); }
  [[nodiscard]] std::uint64_t segment() const noexcept override { return problem_->segment(); }
  [[nodiscard]] std::vector<std::string> contexts() const override { return problem_->contexts(); }
  [[nodiscard]] std::span<const double> context() const noexcept override {
    return problem_->context();
  }
  [[nodiscard]] LossBounds bounds() const override {
    LossBounds bounds = problem_->bounds();
    bounds.gradient *= map_.stretch;
    return bounds;
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    multiply(map_.b, x, y_);
    return problem_->value(y_);
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    multiply(map_.b, x, y_);
    problem_->gradient(y_, slope_);
    multiply_transposed(map_.b, slope_, gradient);
  }
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override {
    return std::make_unique<TotalMapped>(problem_->total(), map_, y_.size());
  }

 private:
  void realise(std::uint64_t t) override { problem_->draw(t); }

  std::unique_ptr<Problem> problem_;
  LinearMap map_;
  std::string spec_;
  mutable Vector y_;
  mutable Vector slope_;  // of the problem, at y
};

}  // namespace

std::unique_ptr<Problem> mapped(std::unique_ptr<Problem> problem, SetPtr image, LinearMap map,
                                std::string spec) {
  return std::make_unique<Mapped>(std::move(problem), std::move(image), std::move(map),
                                  std::move(spec));
}

}  // namespace keyhole::problems
