// States in files.

#include <gtest/gtest.h>

#include <filesystem>

#include "folder.h"
#include "keyhole/spec.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

namespace fs = std::filesystem;

Learner played(int rounds) {
  Learner learner(ball(3), {.seed = 5});
  for (int round = 0; round < rounds; ++round) {
    const Play play = learner.ask();
    learner.tell(play.id, play.point[0]);
  }
  return learner;
}

TEST(StateFile, HoldsTheWholeState) {
  const Folder folder;
  const std::string path = folder.path("learner.state");
  const State state = played(30).state();
  state.write(path);
  EXPECT_EQ(State::read(path), state);
  EXPECT_EQ(open_learner(State::read(path)).state(), state);
  EXPECT_EQ(fs::file_size(path), state.bytes().size());
  played(40).state().write(path);
  EXPECT_EQ(State::read(path), played(40).state()) << "in the place of the one before";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), {}), 1) << "and nothing else";
}

TEST(StateFile, ThatCannotBeWrittenIsAnErrorAndNothingIsLost) {
  const Folder folder;
  const std::string path = folder.path("learner.state");
  fs::create_directories(path);  // a folder is in the way
  std::ofstream(path + "/kept") << "kept";
  const std::string error = message<Error>([&] { played(3).state().write(path); });
  EXPECT_NE(error.find(path), std::string::npos) << error;
  EXPECT_TRUE(fs::exists(path + "/kept"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), {}), 1);
  EXPECT_THROW(played(3).state().write(folder.path("none/learner.state")), Error);
}

TEST(StateFile, ThatIsNoneIsNamed) {
  const Folder folder;
  const std::string path = folder.path("learner.state");
  EXPECT_EQ(message<InputError>([&] { (void)State::read(path); }),
            path + ": there is no such file");
  std::ofstream(path) << "not a state, but as long as one: ........................";
  EXPECT_EQ(message<StateError>([&] { (void)State::read(path); }),
            path + ": these bytes are not a Keyhole state");
  played(3).state().write(path);
  fs::resize_file(path, fs::file_size(path) - 1);
  EXPECT_EQ(message<StateError>([&] { (void)State::read(path); }).rfind(path + ": the state is", 0),
            0U);
}

}  // namespace
}  // namespace keyhole::tests
