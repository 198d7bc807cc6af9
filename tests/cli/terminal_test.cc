// What a terminal shows besides the words, and what a pipe does not: colours, progress.

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "folder.h"
#include "replayed.h"

namespace keyhole::tests {
namespace {

const std::string red = "\x1b[31m";
const std::string green = "\x1b[32m";
const std::string yellow = "\x1b[33m";
const std::string plain = "\x1b[0m";

/// What a command prints, stdout and stderr together, on a terminal of its own.
std::string on_terminal(const std::string& command) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {  // it ends with an error when the child has closed the terminal
    const ssize_t got = ::read(terminal, buffer.data(), buffer.size());
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return text;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The text without what moves the cursor and colours, and without carriage returns.
std::string without_escapes(const std::string& text) {
  std::string words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
    } else if (text[i] != '\r') {
      words += text[i];
    }
  }
  return words;
}

class Terminal : public ::testing::Test {
 protected:
  void SetUp() override {
    find_program();
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
};

TEST_F(Terminal, ErrorsAndWarningsAreColoured) {
  EXPECT_TRUE(on_terminal("keyhole frobnicate")
                  .starts_with(red + "keyhole:" + plain + " there is no command 'frobnicate'"));
  EXPECT_TRUE(on_terminal("keyhole check 'simplx(5)'").starts_with(red + "keyhole:" + plain));
  const Folder folder;
  const std::string run =
      on_terminal("mkdir -p '" + folder.path("") + "' && cd '" + folder.path("") +
                  "' && printf 'rounds = 20\\nproblems = \"tracking(ball(2), flip=50)\"\\n"
                  "learners = \"fkm\"\\n' > a.toml && keyhole run --quiet a.toml");
  EXPECT_TRUE(holds(run, "keyhole: " + yellow + "warning:" + plain + " problem")) << run;
}

TEST_F(Terminal, VerdictsOfChecksAreColoured) {
  const std::string text = on_terminal("keyhole check --directions=5 'simplex(3)'");
  EXPECT_TRUE(holds(text, "oracle_is_there: " + green + "ok" + plain + "\r\n")) << text;
  // The words are those of a pipe, after the progress.
  const std::string piped = transcript_of("keyhole check --directions=5 'simplex(3)'", "/");
  EXPECT_TRUE(without_escapes(text).ends_with(piped)) << text;
}

TEST_F(Terminal, ChecksShowWhichOneIsRunningAndEraseIt) {
  const std::string text = on_terminal("keyhole check --directions=5 --format=csv 'box(0, 1, 2)'");
  EXPECT_TRUE(text.starts_with("\rcheck 1: oracle_is_there\x1b[K\rcheck 2: spec_is_stable\x1b[K"))
      << text;
  EXPECT_TRUE(holds(text, "\x1b[K\r\x1b[Kcheck,ok,message\r\n")) << text;
  EXPECT_FALSE(holds(text, green)) << "data has no colours: " << text;
}

TEST_F(Terminal, ColoursCanBeSwitchedOff) {
  const std::string commands = "keyhole check --directions=5 'simplex(3)'; keyhole frobnicate";
  for (const std::string variable : {"NO_COLOR=1 ", "TERM=dumb "}) {
    const std::string text = on_terminal("export " + variable + "; " + commands);
    EXPECT_FALSE(holds(text, plain)) << variable << text;
    EXPECT_TRUE(holds(text, "scores_fit_the_draws: ok")) << text;
  }
  // An empty NO_COLOR does not count: https://no-color.org
  EXPECT_TRUE(holds(on_terminal("NO_COLOR= keyhole frobnicate"), red));
}

TEST_F(Terminal, PipesGetNoEscapes) {
  const std::string commands = "keyhole check --directions=5 'simplex(3)'; keyhole frobnicate";
  EXPECT_FALSE(holds(transcript_of(commands, "/"), "\x1b"));
  // Each stream by itself: the words of a table that is piped are plain, and errors are not.
  const std::string half = on_terminal("{ " + commands + "; } | cat");
  EXPECT_FALSE(holds(half, green)) << half;
  EXPECT_TRUE(holds(half, red)) << half;
}

}  // namespace
}  // namespace keyhole::tests
