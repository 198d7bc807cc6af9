// keyhole: parses, calls, prints. Exit code 0 if all went well, 1 on failure, 2 on wrong usage.

#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "keyhole/keyhole.h"

namespace {

constexpr const char* usage =
    "usage: keyhole COMMAND\n"
    "\n"
    "Projection-free bandit convex optimisation: each round choose a point of a convex\n"
    "set, see one number, and do nearly as well as the best fixed point in hindsight.\n"
    "\n"
    "  reproduce   run every learner on an embedded problem, on two sets (seconds)\n"
    "  version     print the version and the revision of the digits\n"
    "  help        print this\n";

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) {
    std::cerr << (arguments.empty() ? "keyhole: a command is missing\n\n"
                                    : "keyhole: one command is expected, without arguments\n\n")
              << usage;
    return 2;
  }
  const std::string& command = arguments.front();
  if (command == "reproduce") {
    keyhole::cli::reproduce(std::cout);
  } else if (command == "version" || command == "--version") {
    std::cout << "keyhole " << keyhole::version << " (trace revision " << keyhole::trace_revision
              << ")\n";
  } else if (command == "help" || command == "--help" || command == "-h") {
    std::cout << usage;
  } else {
    std::cerr << "keyhole: there is no command '" << command << "'\n\n" << usage;
    return 2;
  }
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "keyhole: the output could not be written\n";
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "keyhole: " << error.what() << "\n";
    return 1;
  }
}
