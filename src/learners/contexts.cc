#include "learners/contexts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "keyhole/error.h"

namespace keyhole::algorithms {
namespace {

/// k of "choice(k)"; 0 if it is none.
std::size_t choice_of(std::string_view word) {
  constexpr std::string_view begin = "choice(";
  if (!word.starts_with(begin) || !word.ends_with(')')) return 0;
  word.remove_prefix(begin.size());
  word.remove_suffix(1);
  std::size_t names = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), names);
  return error == std::errc() && end == word.data() + word.size() ? names : 0;
}

struct OnCircle {
  double sine;
  double cosine;
};

/// Of an angle in turns, by Taylor's series about the nearest quarter of a turn: its digits are the
/// same everywhere, as those of libm are not. What is cut off is below 1e-15.
OnCircle on_circle(double turns) {
  const double quarters = std::floor(4 * turns + 0.5);
  const double x = 2 * std::numbers::pi * (turns - quarters / 4);
  double sine = 0;
  double cosine = 0;
  for (int k = 8; k > 0; --k) {
    const double even = 2 * k;
    sine = (1 + sine) * (-x * x / (even * (even + 1)));
    cosine = (1 + cosine) * (-x * x / ((even - 1) * even));
  }
  sine = x * (1 + sine);
  cosine += 1;
  switch (static_cast<int>(quarters - 4 * std::floor(quarters / 4))) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace

Contexts::Contexts(const std::vector<std::string>& words) {
  std::size_t of_level = 0;
  for (const std::string& word : words) {
    const std::size_t names = choice_of(word);
    if (word != "number" && word != "cyclic" && names < 2) {
      throw InvalidArgument(
          "a context is \"number\", \"cyclic\" or, of two names and more, "
          "\"choice(2)\", not \"" +
          word + "\"");
    }
    const bool is_number = word == "number";
    names_.push_back(names > 0 ? names : is_number ? number : cyclic);
    const std::size_t numbers = names > 0 ? names : is_number ? 1 : 2;
    variable_.insert(variable_.end(), numbers, names_.size() - 1);
    if (names == 0) of_level += numbers;
  }
  size_ = variable_.size() + of_level;
}

void Contexts::write(std::span<const double> context, std::span<double> psi) const {
  std::fill(psi.begin(), psi.end(), unknown);
  std::size_t at = 0;
  std::size_t of_level = slopes();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool known = i < context.size() && !std::isnan(context[i]);
    const double u = known ? context[i] : 0;
    if (names_[i] == number) {
      if (known) {
        psi[at] = std::clamp(u, -3.0, 3.0);
        psi[of_level] = (psi[at] * psi[at] - 1) / 2;
      }
      at += 1;
      of_level += 1;
    } else if (names_[i] == cyclic) {
      if (known) {
        const auto [sine, cosine] = on_circle(u - std::floor(u));
        psi[at] = std::numbers::sqrt2 * sine;
        psi[at + 1] = std::numbers::sqrt2 * cosine;
        psi[of_level] = std::numbers::sqrt2 * (2 * sine * cosine);
        psi[of_level + 1] = std::numbers::sqrt2 * (cosine * cosine - sine * sine);
      }
      at += 2;
      of_level += 2;
    } else {
      if (known) {
        std::fill_n(psi.begin() + static_cast<std::ptrdiff_t>(at), names_[i], 0.0);
        if (u >= 0 && u < static_cast<double>(names_[i])) {
          psi[at + static_cast<std::size_t>(u)] = 1;
        }
      }
      at += names_[i];
    }
  }
}

void SeenContexts::take(std::span<const double> psi) {
  for (std::size_t j = 0; j < psi.size(); ++j) {
    if (psi[j] == Contexts::unknown) continue;
    counts_[j] += 1;
    const double off = psi[j] - means_[j];
    means_[j] += off / counts_[j];
    squares_[j] += off * (psi[j] - means_[j]);
  }
}

Psi SeenContexts::filled(std::span<const double> psi) {
  bool all = true;
  for (std::size_t j = 0; j < psi.size(); ++j) {
    const bool known = psi[j] != Contexts::unknown;
    psi_[j] = known ? psi[j] : means_[j];
    variances_[j] = known || counts_[j] == 0 ? 0 : squares_[j] / counts_[j];
    all = all && known;
  }
  return {psi_, all ? std::span<const double>() : variances_};
}

void SeenContexts::state(Archive& archive) {
  for (std::vector<double>* numbers : {&counts_, &means_, &squares_}) archive.field(*numbers);
}

}  // namespace keyhole::algorithms
