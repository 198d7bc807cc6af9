#include "pages/outline.h"

#include <cmath>
#include <numbers>

namespace keyhole::pages {
namespace {

double distance(const Point2& a, const Point2& b) { return std::hypot(b[0] - a[0], b[1] - a[1]); }

/// How far c is to the right of the line from a to b.
double beyond(const Point2& a, const Point2& b, const Point2& c) {
  return ((b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])) / distance(a, b);
}

class Outline {
 public:
  Outline(const Farthest2& farthest, double tolerance)
      : farthest_(farthest), tolerance_(tolerance) {}

  void add(const Point2& c) {
    if (corners_.empty() || distance(corners_.back(), c) > tolerance_ / 4) corners_.push_back(c);
  }

  /// Adds the corners between a and b: the farthest from the line through them, and on.
  void between(const Point2& a, const Point2& b, int depth) {
    if (depth == 0 || distance(a, b) <= tolerance_) return;
    const Point2 c = farthest_({b[1] - a[1], a[0] - b[0]});
    if (beyond(a, b, c) <= tolerance_) return;
    between(a, c, depth - 1);
    add(c);
    between(c, b, depth - 1);
  }

  std::vector<Point2> corners() {
    while (corners_.size() > 1 && distance(corners_.front(), corners_.back()) <= tolerance_ / 4) {
      corners_.pop_back();
    }
    return corners_;
  }

 private:
  const Farthest2& farthest_;
  double tolerance_;
  std::vector<Point2> corners_;
};

}  // namespace

std::vector<Point2> outline(const Farthest2& farthest, double tolerance) {
  constexpr int starts = 8;
  constexpr int deepest = 10;
  // Off the axes and diagonals, where answers are tied.
  const auto start = [&](int k) {
    const double angle = 0.1234 + 2 * std::numbers::pi * k / starts;
    return farthest({std::cos(angle), std::sin(angle)});
  };
  Outline result(farthest, tolerance);
  Point2 a = start(0);
  for (int k = 1; k <= starts; ++k) {
    const Point2 b = start(k % starts);
    result.add(a);
    result.between(a, b, deepest);
    a = b;
  }
  return result.corners();
}

}  // namespace keyhole::pages
