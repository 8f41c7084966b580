#include "cli/rule_words.h"

#include <gtest/gtest.h>

#include "cli/json_writer.h"
#include "tests/cli/failure_of.h"

namespace fairfs::test {
namespace {

using cli::RuleWords;

TEST(RuleWords, TextThereAndBack) {
  const RuleWords words = cli::parse_rule_words(R"(command=a\,b,user=1000,weight=20,group=disk,exe=/x=y)");
  EXPECT_EQ(words, (RuleWords{{"command", "a,b"}, {"user", 1000}, {"weight", 20}, {"group", "disk"}, {"exe", "/x=y"}}));
  EXPECT_EQ(cli::to_text(words), R"(command=a\,b,exe=/x=y,group=disk,user=1000,weight=20)");
  EXPECT_EQ(cli::parse_rule_words(cli::to_text(words)), words);
}

TEST(RuleWords, ANameOfDigitsStaysAName) {
  EXPECT_EQ(cli::parse_rule_words("command=7,cgroup=/7,flow=7,class=7,exe=7,pid=7"),
            (RuleWords{{"command", "7"}, {"cgroup", "/7"}, {"flow", "7"}, {"class", "7"}, {"exe", "7"}, {"pid", 7}}));
  EXPECT_EQ(cli::parse_rule_words("weight=-5")["weight"], cli::RuleWord{-5});
  EXPECT_EQ(cli::parse_rule_words("weight=5x")["weight"], cli::RuleWord{"5x"});
}

TEST(RuleWords, RefusesWhatIsNoWord) {
  const auto line = [](const char* text) { return failure_of([&] { (void)cli::parse_rule_words(text); }).second; };
  EXPECT_EQ(line("weight"), "'weight' is not of the form KEY=VALUE; see fairfs-stat --help");
  EXPECT_EQ(line("=5"), "'=5' is not of the form KEY=VALUE; see fairfs-stat --help");
  EXPECT_EQ(line("weight="), "'weight=' is not of the form KEY=VALUE; see fairfs-stat --help");
  EXPECT_EQ(line("user=1,user=2"), "'user' is there twice; see fairfs-stat --help");
}

TEST(RuleWords, WhomAndWhat) {
  EXPECT_EQ(cli::whom_of({{"command", "x"}, {"user", 1}, {"weight", 5}, {"flow", "f"}}),
            (RuleWords{{"command", "x"}, {"user", 1}}));
  EXPECT_EQ(cli::whom_of({{"flow", "f"}, {"weight", 5}}), (RuleWords{{"flow", "f"}}));
  EXPECT_EQ(cli::whom_of({{"weight", 5}}), RuleWords{});
}

TEST(JsonWriter, WritesWhatAParserReads) {
  cli::JsonWriter out;
  out.open('{').field("a", 1).field("b", true).field("c", "x\"\\\n\x7f\xff\xc3\xa4").key("d").open('[');
  out.value(-5).value(0.25).value(1e300 * 1e300).open('[').close(']').raw("{}").close(']').close('}');
  EXPECT_EQ(out.take(),
            "{\"a\":1,\"b\":true,\"c\":\"x\\\"\\\\\\u000a\\u007f\xef\xbf\xbd\xc3\xa4\","
            "\"d\":[-5,0.25,null,[],{}]}");
}

}  // namespace
}  // namespace fairfs::test
