// The grammar of specs: text to a tree, and back. What the names mean is the tables' business.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/catalogue.h"
#include "keyhole/contents.h"

namespace keyhole {

/// A value of the grammar: what was written, and where.
struct SpecNode {
  enum class Kind {
    number,
    /// A name or another word without parentheses: simplex, true, 2013-02-08, data/prices.csv.
    word,
    quoted,
    list,
    /// A name with parentheses.
    call,
    /// Numbers that a text names by their content: what resolve() of spec/contents.h makes of a
    /// call.
    array,
  };

  Kind kind = Kind::word;
  /// Where it begins, in bytes from the start of the text.
  std::size_t offset = 0;
  /// The value of a number.
  double number = 0;
  /// The word, the name of a call, the text between quotes, or the digits as they were written.
  std::string text = {};
  /// The items of a list (without keys), or the arguments of a call.
  std::vector<SpecNode> arguments = {};
  /// Of an array.
  std::shared_ptr<const Array> array = {};
  /// Of an argument: its key, empty if it has none.
  std::string key = {};
  /// Of an argument: where it begins, the key included.
  std::size_t argument_offset = 0;
};

namespace spec {

using Node = SpecNode;

/// How deep lists and calls can be nested: a text cannot exhaust the stack.
inline constexpr std::size_t deepest = 64;
/// The longest text, in bytes. A tree takes up to 80 times as much memory.
inline constexpr std::size_t longest = std::size_t{1} << 24U;
/// The longest that comes over a network.
inline constexpr std::size_t longest_of_others = std::size_t{1} << 20U;

/// The tree of a spec: a word or a call. Throws SpecError.
[[nodiscard]] Node parse(std::string_view text);
/// The tree of any one value. Throws SpecError.
[[nodiscard]] Node parse_value(std::string_view text);

/// Whether a text can name an entry or a parameter: letters, digits and _, a digit not first.
[[nodiscard]] bool is_name(std::string_view word);

/// The text of a tree; parse_value(print(tree)) is that tree again. An array is a list, or a name
/// if that would be too long (base/list_text.h).
[[nodiscard]] std::string print(const Node& node);

/// Throws a SpecError that begins with the text that is not understood.
[[noreturn]] void fail(std::string_view text, const std::string& message);

/// " at column 10"; nothing for the first column, which goes without saying.
[[nodiscard]] std::string place(std::string_view text, std::size_t offset);

}  // namespace spec
}  // namespace keyhole
