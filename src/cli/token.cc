// keyhole token.

#include <iostream>

#include "base/disk.h"
#include "cli/parse.h"
#include "cli/serve.h"
#include "service/service.h"

namespace keyhole::cli {
namespace {

int token_new(const Arguments& arguments, const Program& program) {
  const std::string file = arguments.get("--tokens", "tokens");
  service::Grant grant{.tenant = arguments.word(0),
                       .scope = *service::scope_of(arguments.get("--scope", "play"))};
  if (arguments.has("--days")) {
    constexpr std::uint64_t most = 36500;
    const std::uint64_t days = whole_number("--days", arguments.get("--days", ""), 1, most);
    grant.until = service::Service::system_time() + std::chrono::days(days);
  }
  const std::string token = service::new_token();
  const std::string line = service::token_line(token, grant);
  std::string text = base::read_file(file).value_or("");
  (void)service::Tokens(text);  // else it is another file
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  base::Disk disk;
  base::write_file(disk, file, text + line);
  std::cout << token << "\n";
  std::cerr << program.name << ": " << file
            << " has its digest; this is the only time that the token is shown. SIGHUP lets a "
               "service read the file again.\n";
  return 0;
}

}  // namespace

CommandInfo token_command() {
  return {"token",
          "COMMAND",
          "who may use a service",
          {},
          nullptr,
          {{"new",
            "TENANT",
            "print a new token, and add its digest to a file",
            {{"--scope", "SCOPE", "what it allows (default: play)", {"read", "play", "admin"}},
             {"--days", "N", "when it ends (default: never)"},
             {"--tokens", "FILE", "the file (default: tokens)"}},
            token_new}}};
}

}  // namespace keyhole::cli
