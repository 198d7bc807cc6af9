// keyhole token.

#include <array>
#include <iostream>

#include "base/disk.h"
#include "cli/padded.h"
#include "cli/parse.h"
#include "cli/serve.h"
#include "service/service.h"

namespace keyhole::cli {
namespace {

std::string tokens_file(const Arguments& arguments) { return arguments.get("--tokens", "tokens"); }

/// The text of a file that must be there.
std::string tokens_text(const std::string& file) {
  const auto text = base::read_file(file);
  if (!text) throw InputError("there is no file '" + file + "': --tokens names the file of tokens");
  return *text;
}

int token_new(const Arguments& arguments, const Program& program) {
  const std::string file = tokens_file(arguments);
  service::Grant grant{.tenant = arguments.word(0),
                       .scope = *service::scope_of(arguments.get("--scope", "play")),
                       .name = arguments.get("--name", ""),
                       .prefix = arguments.get("--studies", "")};
  if (arguments.has("--days")) {
    constexpr std::uint64_t most = 36500;
    const std::uint64_t days = whole_number("--days", arguments.get("--days", ""), 1, most);
    grant.until = service::Service::system_time() + std::chrono::days(days);
  }
  const std::string token = service::new_token();
  const std::string line = service::token_line(token, grant);
  base::change_file(file, [&](const std::string& text) { return service::with_token(text, line); });
  std::cout << token << "\n";
  std::cerr << program.name << ": " << file
            << " has its digest; this is the only time that the token is shown. SIGHUP lets a "
               "service read the file again.\n";
  return 0;
}

int token_list(const Arguments& arguments, const Program& /*program*/) {
  std::vector<std::array<std::string, 5>> rows = {{"name", "tenant", "scope", "until", "studies"}};
  for (const service::Grant& grant :
       service::Tokens(tokens_text(tokens_file(arguments))).grants()) {
    rows.push_back({grant.name, grant.tenant, service::scope_text(grant.scope),
                    grant.until ? service::time_text(*grant.until) : "never", grant.prefix + "*"});
  }
  std::array<std::size_t, 5> widths = {};
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  for (const auto& row : rows) {
    for (std::size_t k = 0; k + 1 < row.size(); ++k) std::cout << padded(row[k], widths[k] + 2);
    std::cout << row.back() << "\n";
  }
  return 0;
}

int token_revoke(const Arguments& arguments, const Program& program) {
  const std::string file = tokens_file(arguments);
  (void)tokens_text(file);
  base::change_file(file, [&](const std::string& text) {
    return service::without_token(text, arguments.word(0));
  });
  std::cerr << program.name << ": SIGHUP lets a service read the file again.\n";
  return 0;
}

}  // namespace

CommandInfo token_command() {
  return {
      "token",
      "COMMAND",
      "who may use a service",
      {},
      nullptr,
      {{"new",
        "TENANT",
        "print a new token, and add its digest to a file",
        {{"--name", "NAME", "what it is called (default: digits of its digest)"},
         {"--scope", "SCOPE", "what it allows (default: play)", {"read", "play", "admin"}},
         {"--studies", "BEGIN", "how the names of the studies begin that it is for (default: all)"},
         {"--days", "N", "when it ends (default: never)"},
         {"--tokens", "FILE", "the file (default: tokens)"}},
        token_new},
       {"list",
        "",
        "the names of the tokens, whose they are, and what they allow until when",
        {{"--tokens", "FILE", "the file (default: tokens)"}},
        token_list},
       {"revoke",
        "NAME",
        "take a token out of the file",
        {{"--tokens", "FILE", "the file (default: tokens)"}},
        token_revoke}}};
}

}  // namespace keyhole::cli
