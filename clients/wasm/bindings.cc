// What keyhole.js calls: functions of C over the public headers. Of a call that fails the result is
// null, 0 or a negative number, and keyhole_error() and keyhole_error_code() say why.

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/error.h"
#include "keyhole/learner.h"
#include "keyhole/set.h"
#include "keyhole/spec.h"
#include "keyhole/version.h"

#ifdef __EMSCRIPTEN__
#define KEYHOLE_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE
#else
#define KEYHOLE_EXPORT extern "C"
#endif

namespace {

using keyhole::Learner;
using keyhole::SetPtr;

std::string error;
int error_code = 0;
std::string text;  // the last one that was asked for

/// What `call` gives; `otherwise` if it throws.
template <class Result, class Call>
Result tried(Result otherwise, const Call& call) {
  try {
    return call();
  } catch (const keyhole::Error& failure) {
    error = failure.what();
    error_code = static_cast<int>(failure.code());
  } catch (const std::bad_alloc&) {
    error = "there is not enough memory";
    error_code = 0;
  } catch (const std::exception& failure) {
    error = failure.what();
    error_code = 0;
  }
  return otherwise;
}

const char* kept(std::string what) {
  text = std::move(what);
  return text.c_str();
}

/// A set with the oracle that its calls share.
struct Body {
  SetPtr set;
  std::unique_ptr<keyhole::Oracle> oracle;
  [[nodiscard]] std::span<const double> point(const double* x) const {
    return {x, set->dimension()};
  }
};

std::span<const double> point(const Learner& learner, const double* x) {
  return {x, learner.set().dimension()};
}
std::span<double> point(const Learner& learner, double* x) {
  return {x, learner.set().dimension()};
}

}  // namespace

KEYHOLE_EXPORT const char* keyhole_version() { return keyhole::version; }
KEYHOLE_EXPORT const char* keyhole_error() { return error.c_str(); }
KEYHOLE_EXPORT int keyhole_error_code() { return error_code; }

// Sets.

KEYHOLE_EXPORT Body* keyhole_set(const char* spec) {
  return tried<Body*>(nullptr, [&] {
    SetPtr set = keyhole::make_set(spec);
    auto oracle = set->oracle();
    return new Body{std::move(set), std::move(oracle)};
  });
}
KEYHOLE_EXPORT void keyhole_set_free(Body* body) { delete body; }
KEYHOLE_EXPORT const char* keyhole_set_spec(const Body* body) {
  return tried<const char*>(nullptr, [&] { return kept(body->set->spec()); });
}
KEYHOLE_EXPORT int keyhole_set_dimension(const Body* body) {
  return static_cast<int>(body->set->dimension());
}
/// The inner and the outer radius, the diameter, and the centre.
KEYHOLE_EXPORT int keyhole_set_geometry(const Body* body, double* out) {
  return tried(-1, [&] {
    const keyhole::Geometry geometry = body->set->geometry();
    *out++ = geometry.inner_radius;
    *out++ = geometry.outer_radius;
    *out++ = geometry.diameter;
    std::copy(geometry.centre.begin(), geometry.centre.end(), out);
    return 1;
  });
}
KEYHOLE_EXPORT int keyhole_set_contains(const Body* body, const double* x) {
  return tried(-1, [&] { return body->set->contains(body->point(x)) ? 1 : 0; });
}
KEYHOLE_EXPORT int keyhole_set_minimise(Body* body, const double* direction, double* x) {
  return tried(-1, [&] {
    body->oracle->minimise(body->point(direction)).write_to({x, body->set->dimension()});
    return 1;
  });
}

// Learners.

KEYHOLE_EXPORT Learner* keyhole_learner(const Body* body, const char* spec, double seed,
                                        double window, int maximize) {
  return tried<Learner*>(nullptr, [&] {
    return new Learner(keyhole::make_learner(spec, body->set,
                                             {.seed = static_cast<std::uint64_t>(seed),
                                              .window = static_cast<std::uint64_t>(window),
                                              .maximize = maximize != 0}));
  });
}
KEYHOLE_EXPORT void keyhole_learner_free(Learner* learner) { delete learner; }
KEYHOLE_EXPORT const char* keyhole_learner_spec(const Learner* learner) {
  return tried<const char*>(nullptr, [&] { return kept(learner->spec()); });
}
/// The number of the play, whose point is written.
KEYHOLE_EXPORT double keyhole_ask(Learner* learner, double* x) {
  return tried(-1.0, [&] { return static_cast<double>(learner->ask(point(*learner, x))); });
}
/// The receipt: see `receipts` of keyhole.js.
KEYHOLE_EXPORT int keyhole_tell(Learner* learner, double play, double loss, double count) {
  return tried(-1, [&] {
    return static_cast<int>(learner->tell(static_cast<keyhole::PlayId>(play), loss, count));
  });
}
KEYHOLE_EXPORT int keyhole_learn(Learner* learner, const double* x, double loss, double count) {
  return tried(-1, [&] {
    learner->learn(point(*learner, x), loss, count);
    return 1;
  });
}
KEYHOLE_EXPORT int keyhole_explore(Learner* learner, int on) {
  return tried(-1, [&] {
    learner->explore(on != 0);
    return 1;
  });
}
KEYHOLE_EXPORT int keyhole_recommend(const Learner* learner, double* x) {
  return tried(-1, [&] {
    learner->recommend(point(*learner, x));
    return 1;
  });
}
/// Of each point the loss that is believed, and its standard deviation.
KEYHOLE_EXPORT int keyhole_estimate(const Learner* learner, const double* points, int count,
                                    double* out) {
  return tried(-1, [&] {
    const std::size_t n = learner->set().dimension();
    std::vector<std::vector<double>> all;
    for (int k = 0; k < count; ++k, points += n) all.emplace_back(points, points + n);
    for (const keyhole::Estimate& found : learner->estimate(all)) {
      *out++ = found.loss;
      *out++ = found.loss_error;
    }
    return 1;
  });
}
/// In the order of `status()` of keyhole.js.
KEYHOLE_EXPORT int keyhole_status(const Learner* learner, double* out) {
  return tried(-1, [&] {
    const keyhole::Summary summary = learner->summary();
    const keyhole::Status status = learner->status();
    for (const auto count : {summary.asked, summary.told, summary.pending, summary.missing,
                             status.restarts, status.oracle_calls}) {
      *out++ = static_cast<double>(count);
    }
    for (const double number :
         {status.average, status.recent_average, status.exploring, status.reach,
          status.belief.noise, status.belief.gain, status.belief.gain_error,
          status.belief.curvature, status.belief.fit}) {
      *out++ = number;
    }
    return 1;
  });
}

// States.

KEYHOLE_EXPORT const char* keyhole_state(const Learner* learner) {
  return tried<const char*>(nullptr, [&] {
    const keyhole::State state = learner->state();
    const std::span<const std::byte> bytes = state.bytes();
    return kept({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
}
KEYHOLE_EXPORT int keyhole_text_size() { return static_cast<int>(text.size()); }
/// The learner of a state, on the set of its spec.
KEYHOLE_EXPORT Learner* keyhole_open(const std::byte* bytes, int size) {
  return tried<Learner*>(nullptr, [&] {
    return new Learner(
        keyhole::open_learner(keyhole::State::from_bytes({bytes, static_cast<std::size_t>(size)})));
  });
}
KEYHOLE_EXPORT Body* keyhole_set_of(const Learner* learner) {
  return tried<Body*>(nullptr, [&] {
    SetPtr set = learner->set().shared_from_this();
    auto oracle = set->oracle();
    return new Body{std::move(set), std::move(oracle)};
  });
}
KEYHOLE_EXPORT int keyhole_restore(Learner* learner, const std::byte* bytes, int size) {
  return tried(-1, [&] {
    learner->restore(keyhole::State::from_bytes({bytes, static_cast<std::size_t>(size)}));
    return 1;
  });
}
