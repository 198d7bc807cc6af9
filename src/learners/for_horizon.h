#pragma once

#include <cstdint>
#include <optional>

#include "keyhole/algorithm.h"
#include "learners/one_point.h"

namespace keyhole::algorithms {

/// What algorithms with a horizon share: T, and how it stands in their state. `Interface` is what
/// they are to their caller, such as a HorizonAlgorithm.
template <class Interface>
class ForHorizon : public Interface {
 public:
  using Interface::Interface;

  void restart(std::uint64_t horizon) final {
    require_horizon(horizon);
    begin(horizon);
    horizon_ = horizon;
  }
  [[nodiscard]] std::uint64_t horizon() const noexcept final { return horizon_; }

  void state(Archive& archive) final {
    Interface::state(archive);
    archive.field(horizon_);
    if (archive.reading()) restart(horizon_);  // what follows from T is no field
    fields(archive);
  }

 protected:
  /// Prepares for the first horizon. Without one it knows of none until a restart gives it one.
  void first_start(std::optional<std::uint64_t> horizon) {
    restart(horizon.value_or(1));
    horizon_ = horizon.value_or(0);
  }

 private:
  /// Forgets everything and sets the constants for T = horizon. Throws InvalidArgument, and changes
  /// nothing, where they do not allow it.
  virtual void begin(std::uint64_t horizon) = 0;
  /// The fields of the state after T.
  virtual void fields(Archive& archive) = 0;

  std::uint64_t horizon_ = 0;
};

}  // namespace keyhole::algorithms
