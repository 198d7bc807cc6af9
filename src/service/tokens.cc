#include "service/tokens.h"

#include <sys/random.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "base/number_text.h"
#include "base/require.h"
#include "base/sha256.h"
#include "service/same_text.h"
#include "studies/name.h"

namespace keyhole::service {
namespace {

constexpr std::array<std::string_view, 4> scopes = {"none", "read", "play", "admin"};

bool is_digest(std::string_view text) {
  constexpr std::size_t digits = 64;
  return text.size() == digits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The time of "2027-01-31T00:00:00Z".
std::optional<Time> time_of(const std::string& text) {
  unsigned year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (std::sscanf(text.c_str(), "%4u-%2u-%2uT%2u:%2u:%2uZ", &year, &month, &day, &hour, &minute,
                  &second) != 6) {
    return {};
  }
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(month), std::chrono::day(day));
  if (!date.ok()) return {};
  const std::chrono::sys_days midnight = date;
  const Time time = midnight + std::chrono::hours(hour) + std::chrono::minutes(minute) +
                    std::chrono::seconds(second);
  if (time_text(time) != text) return {};
  return time;
}

/// 256 random bits as 43 letters, digits, '-' and '_'.
std::string random_letters() {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<unsigned char, 32> bits = {};
  if (::getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size())) {
    throw Error("the system gives no random bits");
  }
  std::string text;
  for (std::size_t bit = 0; bit < bits.size() * 8; bit += 6) {
    const unsigned high = bits[bit / 8];
    const unsigned low = bit / 8 + 1 < bits.size() ? bits[bit / 8 + 1] : 0;
    text += alphabet[((high << 8U | low) >> (10 - bit % 8)) % 64];
  }
  return text;
}

/// What a token is called that was given no name.
std::string usual_name(const std::string& digest) { return digest.substr(0, 8); }

}  // namespace

std::optional<Scope> scope_of(std::string_view word) {
  for (std::size_t k = 1; k < scopes.size(); ++k) {
    if (scopes[k] == word) return static_cast<Scope>(k);
  }
  return {};
}

std::string scope_text(Scope scope) { return std::string(scopes[static_cast<std::size_t>(scope)]); }

Tokens::Tokens(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Entry entry;
    std::string scope;
    std::string until;
    std::string more;
    words >> entry.digest >> entry.grant.tenant >> scope >> until >> entry.grant.name >>
        entry.grant.prefix;
    if (entry.grant.name.empty()) entry.grant.name = usual_name(entry.digest);
    const auto known = scope_of(scope);
    if (until != "never") entry.grant.until = time_of(until);
    if (!is_digest(entry.digest) || !studies::is_name(entry.grant.tenant) || !known ||
        (until != "never" && !entry.grant.until) || !studies::is_name(entry.grant.name) ||
        (!entry.grant.prefix.empty() && !studies::is_name(entry.grant.prefix)) || words >> more) {
      throw InputError("line " + std::to_string(number) +
                       " of the tokens must have a digest, a tenant, read, play or admin, never or "
                       "a time like 2027-01-31T00:00:00Z, and may have a name and how the names of "
                       "its studies begin");
    }
    entry.grant.scope = *known;
    entries_.push_back(std::move(entry));
  }
}

std::optional<Grant> Tokens::find(std::string_view token, Time now) const {
  const std::string digest = base::sha256(token);
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    if (is_same(entry.digest, digest)) found = &entry;  // the others are looked at all the same
  }
  if (found == nullptr || (found->grant.until && now >= *found->grant.until)) return {};
  return found->grant;
}

std::vector<Grant> Tokens::grants() const {
  std::vector<Grant> grants;
  for (const Entry& entry : entries_) grants.push_back(entry.grant);
  return grants;
}

std::string new_token() { return "kh_" + random_letters(); }

std::string token_line(const std::string& token, const Grant& grant) {
  const std::string digest = base::sha256(token);
  const std::string name = grant.name.empty() ? usual_name(digest) : grant.name;
  const auto require_name = [](const std::string& text, const std::string& what) {
    base::require(studies::is_name(text),
                  "'" + text + "' cannot be the name of a " + what +
                      ": take up to 100 letters, digits, '-', '_' and '.', and begin with a "
                      "letter, a digit or '_'");
  };
  require_name(grant.tenant, "tenant");
  require_name(name, "token");
  if (!grant.prefix.empty()) require_name(grant.prefix, "study");
  return digest + " " + grant.tenant + " " + scope_text(grant.scope) + " " +
         (grant.until ? time_text(*grant.until) : "never") + " " + name +
         (grant.prefix.empty() ? "" : " " + grant.prefix) + "\n";
}

std::string with_token(std::string text, const std::string& line) {
  const std::string name = Tokens(line).grants().front().name;
  for (const Grant& grant : Tokens(text).grants()) {
    base::require(grant.name != name, "there is a token '" + name + "' already: revoke it first");
  }
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text + line;
}

std::string without_token(const std::string& text, const std::string& name) {
  (void)Tokens(text);  // else it is another file
  std::istringstream lines(text);
  std::string result;
  std::string line;
  bool found = false;
  while (std::getline(lines, line)) {
    const auto grants = Tokens(line).grants();
    if (!grants.empty() && grants.front().name == name) {
      found = true;
    } else {
      result += line + "\n";
    }
  }
  base::require(found, "there is no token '" + name + "': 'keyhole token list' shows them");
  return result;
}

}  // namespace keyhole::service
