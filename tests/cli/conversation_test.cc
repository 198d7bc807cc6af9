// Programs that answer line by line, and what they do wrong.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <utility>

#include "cli/child_process.h"
#include "folder.h"
#include "keyhole/error.h"
#include "thrown.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

using cli::Conversation;

const Conversation::Pause nothing = [] {};

TEST(Conversation, IsALineForALine) {
  Conversation twice("while read -r line; do printf %s \"$line\"; printf '%s\\n' \"$line\"; done");
  for (const std::string line : {"a", "bc", ""}) {
    twice.say(line, nothing);
    EXPECT_EQ(twice.hear(nothing), line + line);
  }
  Conversation many("printf 'one\\ntwo\\n'; cat");
  EXPECT_EQ(many.hear(nothing), "one");
  EXPECT_TRUE(many.has_spoken());
  EXPECT_EQ(many.hear(nothing), "two");
  EXPECT_FALSE(many.has_spoken());
}

TEST(Conversation, SaysWhetherItSaysMore) {
  for (const auto& [command, more] :
       {std::pair("cat", false), std::pair("cat; echo bye", true), std::pair("sleep 60", false),
        std::pair("read -r line; printf 'a\\nb\\n'", true), std::pair("exit 3", false)}) {
    Conversation talk(command);
    if (std::string(command).ends_with("n'")) {
      talk.say("x", nothing);
      EXPECT_EQ(talk.hear(nothing), "a");
    }
    EXPECT_EQ(talk.says_more(), more) << command;
  }
}

TEST(Conversation, WhatItHasStartedEndsWithIt) {
  const Folder folder;
  const std::string file = folder.path("it");
  {
    Conversation talk("sleep 1000 & echo $! > " + file + "; read -r line");
    talk.say("go on", nothing);
    ASSERT_TRUE(comes_true([&] { return !bytes(file).value_or("").empty(); }));
  }
  const int id = std::stoi(bytes(file).value());
  EXPECT_TRUE(comes_true([&] { return ::kill(id, 0) != 0; }));
}

TEST(Conversation, MayHaveLongLinesBothWaysAtOnce) {
  Conversation same("cat");
  const std::string line(10'000'000, 'x');
  same.say(line, nothing);
  EXPECT_EQ(same.hear(nothing), line);
}

TEST(Conversation, SaysHowTheCommandEnded) {
  for (const std::string command : {"exit 3", "kill -9 $$"}) {
    Conversation ended(command);
    const std::string code = command == "exit 3" ? "3" : "137";
    EXPECT_EQ(message<Error>([&] { (void)ended.hear(nothing); }),
              "the command '" + command + "' ended with code " + code);
  }
  Conversation deaf("exec 0<&-; sleep 60");
  const std::string said = message<Error>([&] {
    while (true) deaf.say("hello", nothing);
  });
  EXPECT_EQ(said, "the command 'exec 0<&-; sleep 60' has closed its input or its output");
}

TEST(Conversation, AWaitCanBeEnded) {
  struct Enough {};
  int pauses = 0;
  const Conversation::Pause three = [&] {
    if (++pauses == 3) throw Enough();
  };
  Conversation mute("cat >/dev/null");
  EXPECT_THROW((void)mute.hear(three), Enough);
  Conversation endless("while :; do printf x; done");
  pauses = 0;
  EXPECT_THROW((void)endless.hear(three), Enough);
  Conversation full("sleep 60");
  pauses = 0;
  EXPECT_THROW(full.say(std::string(10'000'000, 'x'), three), Enough);
}

TEST(Conversation, LeavesNoProcessBehind) {
  const auto begin = std::chrono::steady_clock::now();
  { const Conversation stubborn("trap '' TERM; while :; do sleep 1; done"); }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace keyhole::tests
