#include "keyhole/options.h"

#include <cmath>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/quoted.h"
#include "base/require.h"

namespace keyhole {
namespace {

/// Refuses what is out of range.
class OptionCheck final : public OptionVisitor {
 public:
  explicit OptionCheck(const std::string& owner) : owner_(owner) {}

  void required(const options::Option& option, std::optional<double>& value) override {
    base::require(value.has_value(), owner_ + " needs " + option.key + ": " + option.meaning);
    number(option, value);
  }
  void number(const options::Option& option, double& value) override {
    require_range(option, value, base::number_text(value));
  }
  void number(const options::Option& option, std::optional<double>& value) override {
    if (value) number(option, *value);
  }
  void whole(const options::Option& option, std::uint64_t& value) override {
    require_range(option, static_cast<double>(value), std::to_string(value));
  }
  void whole(const options::Option& option, std::optional<std::uint64_t>& value) override {
    if (value) whole(option, *value);
  }
  void seed(const options::Option& /*option*/, std::uint64_t& /*value*/) override {}
  void flag(const options::Option& /*option*/, bool& /*value*/) override {}
  void word(const options::Option& option, std::size_t& value,
            const std::vector<std::string>& words) override {
    base::require(value < words.size(), "the " + option.key + " of " + owner_ + " must be " +
                                            base::joined(words, " or "));
  }
  void coordinates(const options::Option& option, std::vector<double>& value) override {
    for (double& coordinate : value) number(option, coordinate);
  }
  void text(const options::Option& /*option*/, std::string& /*value*/) override {}
  void file(const options::Option& /*option*/, std::string& /*value*/) override {}
  void texts(const options::Option& /*option*/, std::vector<std::string>& /*value*/) override {}

 private:
  void require_range(const options::Option& option, double value, const std::string& text) const {
    base::require(option.range.holds(value), "the " + option.key + " of " + owner_ +
                                                 " must be from " + option.range.text() + ", not " +
                                                 text);
  }

  const std::string& owner_;
};

/// Writes each option as a text has it; empty if it is absent.
class OptionTexts final : public OptionVisitor {
 public:
  struct Line {
    std::string key;
    std::string value;
    bool always;
  };

  explicit OptionTexts(const ListedOptions& options) { options(*this); }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

  void required(const options::Option& option, std::optional<double>& value) override {
    number(option, value);
  }
  void number(const options::Option& option, double& value) override {
    add(option, base::number_text(value));
  }
  void number(const options::Option& option, std::optional<double>& value) override {
    add(option, value ? base::number_text(*value) : "");
  }
  void whole(const options::Option& option, std::uint64_t& value) override {
    add(option, std::to_string(value));
  }
  void whole(const options::Option& option, std::optional<std::uint64_t>& value) override {
    add(option, value && option.from != options::From::horizon ? std::to_string(*value) : "");
  }
  void seed(const options::Option& option, std::uint64_t& value) override {
    add(option, std::to_string(value));
  }
  void flag(const options::Option& option, bool& value) override {
    add(option, value ? "true" : "false");
  }
  void word(const options::Option& option, std::size_t& value,
            const std::vector<std::string>& words) override {
    add(option, words.at(value));
  }
  void coordinates(const options::Option& option, std::vector<double>& value) override {
    add(option, value.empty() ? "" : base::whole_list_text(value));
  }
  void text(const options::Option& option, std::string& value) override {
    add(option, value.empty() ? "" : base::quoted(value));
  }
  void file(const options::Option& option, std::string& value) override { text(option, value); }
  void texts(const options::Option& option, std::vector<std::string>& value) override {
    std::vector<std::string> all;
    for (const std::string& each : value) all.push_back(base::quoted(each));
    add(option, value.empty() ? "" : "[" + base::joined(all) + "]");
  }

 private:
  void add(const options::Option& option, std::string value) {
    lines_.push_back({option.key, std::move(value), option.always});
  }

  std::vector<Line> lines_;
};

}  // namespace

bool options::Range::holds(double value) const {
  return value >= low && value <= high && !(nonzero && std::abs(value) < smallest_number);
}

std::string options::Range::text() const {
  if (std::isinf(low) && std::isinf(high)) return "";
  return base::number_text(low) + " to " + base::number_text(high) + (nonzero ? " but 0" : "");
}

void check_options(const std::string& owner, const ListedOptions& options) {
  OptionCheck check(owner);
  options(check);
}

std::string options_text(const ListedOptions& options, const ListedOptions& defaults) {
  const OptionTexts texts(options);
  const OptionTexts otherwise(defaults);
  std::string text;
  for (std::size_t k = 0; k < texts.lines().size(); ++k) {
    const auto& [key, value, always] = texts.lines()[k];
    if (value.empty() || (value == otherwise.lines()[k].value && !always)) continue;
    text += (text.empty() ? "" : ", ") + key + "=" + value;
  }
  return text;
}

}  // namespace keyhole
