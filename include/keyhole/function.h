#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "keyhole/error.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// What a Function holds: a value of a type that only its maker knows, copied with its holder.
class HeldCallable {
 public:
  struct Value {
    virtual ~Value() = default;
    [[nodiscard]] virtual Value* copy() const = 0;
  };

  HeldCallable() = default;
  /// Takes the value, made by new: a std::unique_ptr would be slower to compile.
  explicit HeldCallable(Value* value) : value_(value) {}
  HeldCallable(const HeldCallable& other) : value_(other.value_ ? other.value_->copy() : nullptr) {}
  HeldCallable(HeldCallable&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  HeldCallable& operator=(HeldCallable other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~HeldCallable() { delete value_; }

  /// Null if nothing is held.
  [[nodiscard]] Value* value() const noexcept { return value_; }

 private:
  Value* value_ = nullptr;
};

/// Whether a Function can hold it.
template <typename Held, typename Result, typename... Arguments>
concept CallableAs =
    std::is_invocable_r_v<Result, Held&, Arguments...> && !std::is_member_pointer_v<Held> &&
    std::is_copy_constructible_v<Held>;

template <typename Signature>
class Function;

/// A function that a user hands to the library: holds a copy of anything that can be called as
/// f(arguments...) with a result that converts to Result, or nothing. A lambda, a function, a
/// function object and a std::function all convert to it; a null pointer and an empty std::function
/// give an empty one. Copies are copies of what is held. Calls are as thread-safe as what is
/// called.
///
/// It does what std::function does, without `<functional>`: that header takes 0.15 s of the second
/// in which a unit that includes keyhole.h compiles (docs/performance.md).
template <typename Result, typename... Arguments>
class Function<Result(Arguments...)> {
 public:
  /// Empty: must not be called.
  Function() = default;
  Function(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as of a pointer
  /// Holds a copy of `callable`.
  template <typename Callable, typename Held = std::decay_t<Callable>>
  requires(!std::is_same_v<Held, Function> && CallableAs<Held, Result, Arguments...>)
      // A lambda is a function; a Function is copied as such.
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      Function(Callable&& callable) {
    struct Copy final : HeldCallable::Value {
      explicit Copy(Held held) : f(std::move(held)) {}
      [[nodiscard]] Value* copy() const override { return new Copy(f); }
      Held f;
    };
    Held f = std::forward<Callable>(callable);
    if constexpr (requires { static_cast<bool>(f == nullptr); }) {
      if (f == nullptr) return;
    }
    held_ = HeldCallable(new Copy(std::move(f)));
    call_ = [](HeldCallable::Value& value, Arguments&&... arguments) -> Result {
      return static_cast<Result>(
          static_cast<Copy&>(value).f(std::forward<Arguments>(arguments)...));
    };
  }

  /// Whether there is something to call.
  explicit operator bool() const noexcept { return held_.value() != nullptr; }
  friend bool operator==(const Function& f, std::nullptr_t) noexcept { return !f; }

  /// Calls what is held; throws InvalidArgument if that is nothing.
  Result operator()(Arguments... arguments) const {
    if (!*this) throw InvalidArgument("an empty function was called: give one, or test it first");
    return call_(*held_.value(), std::forward<Arguments>(arguments)...);
  }

 private:
  HeldCallable held_;
  Result (*call_)(HeldCallable::Value& value, Arguments&&... arguments) = nullptr;
};

}  // namespace keyhole
#pragma GCC visibility pop
