#include "sched/engine/glob.h"

#include <gtest/gtest.h>

namespace fairfs::test {
namespace {

using engine::glob_match;

TEST(Glob, MatchesItselfAndNothingElse) {
  EXPECT_TRUE(glob_match("/system.slice/postgresql.service", "/system.slice/postgresql.service"));
  EXPECT_FALSE(glob_match("/system.slice", "/system.slice/postgresql.service"));
  EXPECT_FALSE(glob_match("/system.slice/postgresql.service", "/system.slice"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("", "a"));
}

TEST(Glob, StarStopsAtASlash) {
  EXPECT_TRUE(glob_match("/user.slice/*", "/user.slice/user-1000.slice"));
  EXPECT_TRUE(glob_match("/user.slice/*", "/user.slice/"));
  EXPECT_FALSE(glob_match("/user.slice/*", "/user.slice/user-1000.slice/session-2.scope"));
  EXPECT_TRUE(glob_match("/*/*/c", "/a/b/c"));
  EXPECT_FALSE(glob_match("/*/c", "/a/b/c"));
  EXPECT_FALSE(glob_match("*", "/"));
}

TEST(Glob, SeveralStarsInOnePart) {
  EXPECT_TRUE(glob_match("/a*b*c", "/aXbYbZc"));
  EXPECT_TRUE(glob_match("/*-*.scope", "/session-12-3.scope"));
  EXPECT_FALSE(glob_match("/a*b*c", "/aXc"));
  EXPECT_TRUE(glob_match("/**", "/ab"));
}

TEST(Glob, QuestionMarkIsOneCharacterButNotASlash) {
  EXPECT_TRUE(glob_match("/a?c", "/abc"));
  EXPECT_FALSE(glob_match("/a?c", "/ac"));
  EXPECT_FALSE(glob_match("/a?c", "/a/c"));
}

TEST(Glob, BackslashIsItself) {
  EXPECT_TRUE(glob_match(R"(/dev-disk\x2d1.mount)", R"(/dev-disk\x2d1.mount)"));
  EXPECT_FALSE(glob_match(R"(/a\*)", "/a*"));
}

}  // namespace
}  // namespace fairfs::test
