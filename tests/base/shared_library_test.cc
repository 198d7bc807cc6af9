#include "base/shared_library.h"

#include <gtest/gtest.h>

#include "keyhole/error.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Library = base::SharedLibrary<InvalidArgument>;

TEST(SharedLibrary, GivesTheFunctionsOfALibraryAndOfThoseThatItNeeds) {
  const Library library("libm.so.6", "this needs libm", "libc6");
  EXPECT_EQ(library.find<double (*)(double, double)>("pow")(2, 10), 1024);
  EXPECT_EQ(library.find<int (*)(int)>("abs")(-3), 3);  // of libc
}

TEST(SharedLibrary, SaysWhatIsMissingAndWhatToInstall) {
  const Library none("libkeyhole-none.so.7", "dreams need none", "none7");
  const std::string said = message<InvalidArgument>([&] { (void)none.find<void (*)()>("f"); });
  EXPECT_TRUE(said.starts_with("dreams need none, which cannot be loaded: libkeyhole-none.so.7"))
      << said;
  EXPECT_TRUE(said.ends_with(": install it (Debian: none7)")) << said;
  const Library old("libm.so.6", "this needs libm", "libc6");
  EXPECT_NE(message<InvalidArgument>([&] {
              (void)old.find<void (*)()>("no_such_function");
            }).find("no_such_function"),
            std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
