// A vertex is the sum of its parts, and an image maps that sum.

#include <gtest/gtest.h>

#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// A vertex with a dense part, single entries and a rank-one part, and the same as one vector.
struct Parts {
  Parts(std::size_t rows, std::size_t columns, Random& random)
      : dense(random.normals(rows * columns)),
        indices{rows * columns - 1, 0, 0},
        values(random.normals(3)),
        left(random.normals(rows)),
        right(random.normals(columns)) {}

  /// Which parts there are: bit 0 the dense one, bit 1 the entries, bit 2 the rank-one part.
  [[nodiscard]] Vertex vertex(unsigned parts) const {
    Vertex v;
    if ((parts & 1) != 0) v.dense = dense;
    if ((parts & 2) != 0) {
      v.indices = indices;
      v.values = values;
    }
    if ((parts & 4) != 0) {
      v.left = left;
      v.right = right;
    }
    return v;
  }

  [[nodiscard]] Vector sum(unsigned parts) const {
    Vector v((parts & 1) != 0 ? dense : Vector(dense.size(), 0.0));
    for (std::size_t k = 0; (parts & 2) != 0 && k < indices.size(); ++k) v[indices[k]] += values[k];
    for (std::size_t i = 0; (parts & 4) != 0 && i < v.size(); ++i) {
      v[i] += left[i / right.size()] * right[i % right.size()];
    }
    return v;
  }

  Vector dense;
  std::vector<std::size_t> indices;
  Vector values;
  Vector left;
  Vector right;
};

/// A set whose oracle always gives the same answer.
class Constant final : public Set {
 public:
  Constant(std::size_t n, const Vertex& vertex) : Set(n, n, ball(n)->geometry()), vertex_(vertex) {}
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    class Answer final : public Oracle {
     public:
      explicit Answer(const Vertex& vertex) : vertex_(vertex) {}
      const Vertex& do_minimise(std::span<const double>) override { return vertex_; }

     private:
      Vertex vertex_;
    };
    return std::make_unique<Answer>(vertex_);
  }
  [[nodiscard]] bool contains(std::span<const double>) const override { return true; }
  [[nodiscard]] std::string spec() const override { return "constant"; }

 private:
  Vertex vertex_;
};

TEST(Vertex, IsTheSumOfItsParts) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t rows = random.integer(1, 9);
    const std::size_t columns = random.integer(1, 9);
    const std::size_t n = rows * columns;
    const Parts all(rows, columns, random);
    for (unsigned parts = 0; parts < 8; ++parts) {
      const Vertex v = all.vertex(parts);
      const Vector sum = all.sum(parts);
      Vector written(n, 42.0);
      v.write_to(written);
      EXPECT_LE(distance(written, sum), 1e-14);
      const Vector x = random.normals(n);
      Vector added = x;
      v.add_to(added, -2.5);
      EXPECT_LE(distance(added, combine(1, x, -2.5, sum)), 1e-13);
      EXPECT_NEAR(v.dot(x), inner(x, sum), 1e-12);
    }
  }
}

TEST(Vertex, OfAnImageIsMapped) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    // Wide, tall, square, and a single row or column, where the other side is as long as can be.
    const std::size_t rows = random.integer(1, 9);
    const std::size_t columns = random.integer(1, 9);
    const std::size_t n = rows * columns;
    const Parts all(rows, columns, random);
    for (unsigned parts = 0; parts < 8; ++parts) {
      const double scale = random.uniform(-2, -1);
      const Vector shift = random.normals(n);
      const SetPtr set = image(std::make_shared<Constant>(n, all.vertex(parts)), scale, shift);
      Vector v(n);
      set->oracle()->minimise(shift).write_to(v);
      EXPECT_LE(distance(v, combine(scale, all.sum(parts), 1, shift)), 1e-13);
    }
  }
}

TEST(Vertex, WithASymmetricProductStaysSymmetricToTheLastBit) {
  Random random(3);
  const Vector v = random.normals(7);
  Vertex vertex;
  vertex.left = vertex.right = v;
  Vector x(49, 0.0);
  vertex.add_to(x, 0.3);
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(x[i * 7 + j], x[j * 7 + i]);
  }
}

}  // namespace
}  // namespace keyhole::tests
