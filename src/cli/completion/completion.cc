// The completion for a shell: source <(keyhole completion).

#include <iostream>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/completion/candidates.h"
#include "cli/parse.h"

namespace keyhole::cli {

int completion(const Arguments& arguments, const Program& program) {
  const std::string shell = arguments.words.empty() ? "bash" : arguments.word(0);
  if (shell == "bash") {
    std::cout << bash_completion(program);
  } else if (shell == "zsh") {
    std::cout << zsh_completion(program);
  } else if (shell == "fish") {
    std::cout << fish_completion(program);
  } else {
    throw UsageError("the shell must be one of bash, zsh, fish, not '" + shell + "'" +
                     base::suggestion(shell, {"bash", "zsh", "fish"}));
  }
  return 0;
}

}  // namespace keyhole::cli
