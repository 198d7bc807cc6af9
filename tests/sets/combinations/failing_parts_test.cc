// Sets made of others, one of which fails: the exception comes out, and afterwards the same oracle
// answers as if nothing had happened.

#include <gtest/gtest.h>

#include <optional>

#include "catalogue.h"
#include "keyhole/own_set.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::Fault;
using keyhole::testing::Faults;
using keyhole::testing::faulty;
using Vector = std::vector<double>;

struct Combination {
  const char* name;
  std::function<SetPtr(const SetPtr& part)> make;
};

/// Of parts in 3 dimensions with a projection and a gauge.
std::vector<Combination> combinations() {
  return {
      {"image", [](const SetPtr& part) { return image(part, -2, 1); }},
      {"translated",
       [](const SetPtr& part) {
         return translated(part, Vector{1, 2, 3});
       }},
      {"recentred",
       [](const SetPtr& part) {
         return recentred(part, Vector{0.1, 0.2, 0});
       }},
      {"product",
       [](const SetPtr& part) {
         return product({simplex(2), part, ball(2)});
       }},
      {"affine_image",
       [](const SetPtr& part) {
         return affine_image(part, Vector{2, 1, 0, 0, 1, 1, 1, 0, 3}, Vector{1, 1, 1});
       }},
      {"minkowski_sum",
       [](const SetPtr& part) {
         return minkowski_sum({part, box(0, 1, 3)});
       }},
      {"hull_of_union",
       [](const SetPtr& part) {
         return hull_of_union({part, box(0, 2, 3)});
       }},
      {"slice",
       [](const SetPtr& part) {
         return slice(part, Vector{1, 1, 0.5}, Vector{0.25});
       }},
      {"own_set",
       [](const SetPtr& part) {
         return own_set({.dimension = 3, .minimise = [part](auto d, auto v) {
                           part->oracle()->minimise(d).write_to(v);
                         }});
       }},
  };
}

/// One answer of a set, as numbers.
using Question = std::function<Vector(const Set& set, Oracle& oracle)>;

std::vector<Question> questions(const Set& set) {
  Random random(5);
  const Vector d = random.normals(set.dimension());
  const Vector far = random.normals(set.dimension(), 3);
  std::vector<Question> all = {
      [d](const Set&, Oracle& oracle) {
        Vector v(d.size());
        oracle.minimise(d).write_to(v);
        return v;
      },
      [far](const Set& any, Oracle&) { return Vector{any.contains(far) ? 1.0 : 0.0}; },
      [](const Set& any, Oracle&) { return Vector{any.contains(any.centre()) ? 1.0 : 0.0}; },
      [](const Set& any, Oracle& oracle) {
        Vector x = any.centre();
        oracle.settle(x);
        return x;
      }};
  if (set.can_project()) {
    all.push_back([far](const Set&, Oracle& oracle) {
      Vector x(far.size());
      oracle.project(far, x);
      return x;
    });
  }
  if (set.can_gauge()) {
    all.push_back([d](const Set& any, Oracle& oracle) {
      Vector w = d;
      any.flatten(w);
      for (std::size_t i = 0; i < w.size(); ++i) w[i] += any.centre()[i];
      Vector s(w.size());
      s.push_back(oracle.gauge(w, std::span(s).first(w.size())));
      return s;
    });
  }
  return all;
}

TEST(FailingParts, LeaveNoTraceInTheSetsMadeOfThem) {
  std::uint64_t failures = 0;
  for (const SetPtr& part : {ball(3), box(-1, 1, 3)}) {
    for (const Combination& combination : combinations()) {
      SCOPED_TRACE(std::string(combination.name) + " of " + part->spec());
      const auto faults = std::make_shared<Faults>();
      const SetPtr sound = combination.make(part);
      const SetPtr set = combination.make(faulty(part, faults));
      const auto oracle = set->oracle();
      const auto sound_oracle = sound->oracle();
      for (const Question& question : questions(*set)) {
        const Vector expected = question(*sound, *sound_oracle);
        for (std::uint64_t answered = 0;; ++answered) {
          faults->thrown = 0;
          faults->answered_first = answered;
          std::optional<Vector> answer;
          try {
            answer = question(*set, *oracle);
          } catch (const Fault&) {
          }
          faults->answered_first = std::numeric_limits<std::uint64_t>::max();
          EXPECT_EQ(answer.has_value(), faults->thrown == 0) << "a failure was swallowed";
          EXPECT_EQ(question(*set, *oracle), expected) << "after " << answered << " answers";
          if (faults->thrown == 0) break;
          ++failures;
        }
      }
    }
  }
  EXPECT_GT(failures, 100u);
}

}  // namespace
}  // namespace keyhole::tests
