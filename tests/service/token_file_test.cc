// The file of tokens, changed by the program.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "folder.h"
#include "service/tokens.h"

namespace keyhole::tests {
namespace {

unsigned mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

class TokenFile : public ::testing::Test {
 protected:
  /// The exit code of 'keyhole token' with these words; what it prints is in out().
  int token(const std::string& words) const {
    return std::system((std::string(KEYHOLE_PROGRAM) + " token " + words + " --tokens=" + file() +
                        " >" + folder_.path("out") + " 2>" + folder_.path("err"))
                           .c_str());
  }
  [[nodiscard]] std::string file() const { return folder_.path("tokens"); }
  [[nodiscard]] std::string out() const { return bytes(folder_.path("out")).value(); }
  [[nodiscard]] std::string err() const { return bytes(folder_.path("err")).value(); }
  [[nodiscard]] std::size_t lines() const {
    const std::string text = bytes(file()).value();
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

 private:
  Folder folder_;
};

TEST_F(TokenFile, IsForItsOwnerAndKeepsWhatModeItIsGiven) {
  ASSERT_EQ(token("new acme"), 0);
  EXPECT_EQ(mode_of(file()), 0600U);
  ASSERT_EQ(::chmod(file().c_str(), 0640), 0);
  ASSERT_EQ(token("new acme"), 0);
  EXPECT_EQ(mode_of(file()), 0640U);
  EXPECT_EQ(lines(), 2U);
}

TEST_F(TokenFile, HasTheTokensOfAllWhoChangeItAtOnce) {
  std::string command;
  for (int k = 0; k < 8; ++k) {
    command +=
        std::string(KEYHOLE_PROGRAM) + " token new acme --tokens=" + file() + " >/dev/null 2>&1 & ";
  }
  for (std::size_t k = 1; k <= 4; ++k) {
    ASSERT_EQ(std::system((command + "wait").c_str()), 0);
    EXPECT_EQ(lines(), 8 * k);
  }
}

TEST_F(TokenFile, HasNames) {
  ASSERT_EQ(token("new acme --name=ci --scope=read"), 0);
  ASSERT_EQ(token("new acme --name=laptop --scope=admin --studies=prod-"), 0);
  ASSERT_EQ(token("new rival"), 0);
  const std::string secret = out().substr(0, out().find('\n'));
  EXPECT_NE(token("new rival --name=ci"), 0);
  EXPECT_NE(err().find("there is a token 'ci' already"), std::string::npos) << err();
  ASSERT_EQ(token("list"), 0);
  const std::string list = out();
  EXPECT_TRUE(
      list.starts_with("name      tenant  scope  until  studies\n"
                       "ci        acme    read   never  *\n"
                       "laptop    acme    admin  never  prod-*\n"))
      << list;
  EXPECT_NE(list.find("  rival   play   never  *\n"), std::string::npos) << list;
  ASSERT_EQ(token("revoke ci"), 0);
  EXPECT_NE(token("revoke ci"), 0);
  EXPECT_NE(err().find("there is no token 'ci'"), std::string::npos) << err();
  const service::Tokens tokens(bytes(file()).value());
  EXPECT_TRUE(tokens.find(secret, service::Time{}).has_value());
  EXPECT_EQ(lines(), 2U);
  // What has no name is called by its digest.
  ASSERT_EQ(token("revoke " + tokens.find(secret, service::Time{})->name), 0);
  EXPECT_EQ(lines(), 1U);
}

}  // namespace
}  // namespace keyhole::tests
