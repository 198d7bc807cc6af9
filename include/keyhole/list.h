#pragma once

#include <initializer_list>
#include <span>

#include "keyhole/platform.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// A list that a function is given: a vector, an array or a span, or its members in braces, as in
/// box({1, 5}, {256, 500}). It refers to them, and those in braces are gone after the call: take it
/// as a parameter, and keep it nowhere.
template <class T>
struct List : std::span<const T> {
  using std::span<const T>::span;
  /// The members of the span.
  // NOLINTNEXTLINE(google-explicit-constructor): whoever has a span passes it as it is
  List(std::span<const T> members) : std::span<const T>(members) {}
  /// The members in braces.
  List(std::initializer_list<T> members) : std::span<const T>(members.begin(), members.size()) {}
};

}  // namespace keyhole
#pragma GCC visibility pop
