// The doors of the library's own steps: compiled here, so that nobody's flags change a digit.

#include "keyhole/steps.h"

#include "learners/conditional_gradient.h"
#include "learners/leader_step.h"
#include "learners/one_point.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::steps {

double exp(double x) noexcept { return math::exp(x); }
double log(double x) noexcept { return math::log(x); }
double pow(double x, double y) noexcept { return math::pow(x, y); }

double sum(std::span<const double> x) noexcept { return math::sum(x); }
double dot(std::span<const double> x, std::span<const double> y) noexcept {
  return math::dot(x, y);
}
double norm(std::span<const double> x) noexcept { return math::norm(x); }
void add(std::span<double> y, double weight, std::span<const double> x) noexcept {
  math::add(y, weight, x);
}

std::span<const double> start_point(const Set& set, const std::vector<double>& start) {
  return algorithms::start_point(set, start);
}

double shrinkage(double delta, double r, std::uint64_t horizon) {
  return algorithms::shrinkage(delta, r, horizon);
}

void shrink_towards(std::span<const double> p, double alpha, std::span<const double> start,
                    std::span<double> x) noexcept {
  algorithms::shrink_towards(p, alpha, start, x);
}

void project_shrunk(Oracle& oracle, std::span<const double> p, double alpha, std::span<double> x,
                    std::span<double> z) {
  algorithms::project_shrunk(oracle, p, alpha, x, z);
}

void perturb(std::span<const double> x, double delta, std::span<const double> u,
             std::span<double> y) noexcept {
  algorithms::perturb(x, delta, u, y);
}

void add_one_point_estimate(double n, double delta, double loss, double weight,
                            std::span<const double> u, std::span<double> sum) noexcept {
  algorithms::add_one_point_estimate(n, delta, loss, weight, u, sum);
}

void move_towards(const Vertex& v, double sigma, std::span<double> x) noexcept {
  algorithms::move_towards(v, sigma, x);
}

void ConditionalStep::before_vertex(std::span<const double> S, std::span<const double> x_1,
                                    std::span<const double> p, std::span<double> gradient,
                                    std::span<double> x) const noexcept {
  algorithms::LeaderStep{eta, pull, sigma, alpha}.before_vertex(S, x_1, p, gradient, x);
}

double ConditionalStep::of_vertex() const noexcept {
  return algorithms::LeaderStep{eta, pull, sigma, alpha}.of_vertex();
}

}  // namespace keyhole::steps
