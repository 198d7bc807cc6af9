#pragma once

#include "keyhole/catalogue.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// The command line, for a program of your own. It is a component of the package of its own:
///
///   find_package(keyhole REQUIRED COMPONENTS experiment)
///   target_link_libraries(mine PRIVATE keyhole::experiment)

/// What the program `keyhole` does, with your catalogue: runs experiments of your sets, algorithms
/// and problems next to the built-ins, lists and checks them. Give it what main() is given; it
/// prints, and returns the exit code: 0 if all went well, 1 on failure, 2 on wrong usage. It calls
/// itself by the last part of argv[0].
///
///   run FILE.toml    play problems x learners x repeats; curves, regret, summary
///   list [NAME]      sets, learners and problems; one kind of them; or one by name
///   check SPEC       what the conformance kit finds about a set
///   report DIR       make report.html of a directory of results
///   --help           these, and the options of each
///
/// The built-ins are in your program only if your catalogue began as Catalogue::standard().
int run_main(int argc, char** argv, const Catalogue& catalogue);

}  // namespace keyhole
#pragma GCC visibility pop
