#include <gtest/gtest.h>

#include "sched/engine/cgroup_path.h"
#include "sched/engine/cgroup_weights.h"
#include "tests/engine/temporary_folder.h"

namespace fairfs::test {
namespace {

using engine::CgroupMount;
using engine::CgroupWeights;
using engine::parse_weight;

TEST(CgroupPath, BlkioCountsWhereThatHierarchyExists) {
  EXPECT_EQ(engine::cgroup_of("9:name=systemd:/s\n7:blkio:/a/b\n0::/c\n"), "/a/b");
  EXPECT_EQ(engine::cgroup_of("7:cpuacct,blkio,cpu:/a\n0::/c\n"), "/a");
  EXPECT_EQ(engine::cgroup_of("9:name=systemd:/s\n0::/user.slice/x:y\n"), "/user.slice/x:y");
  EXPECT_EQ(engine::cgroup_of(""), "/");
}

TEST(CgroupPath, MountIsFoundInMountinfo) {
  const std::string unified = "38 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
  const std::string cpu = "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:5 - cgroup cgroup rw,cpu\n";
  const std::string blkio =
      "35 31 0:35 /docker/1 /sys/fs/cgroup/my\\040blkio rw shared:9 master:1 - cgroup cgroup rw,blkio\n";
  EXPECT_EQ(engine::find_cgroup_mount(unified + cpu).folder, "/sys/fs/cgroup/unified");
  EXPECT_TRUE(engine::find_cgroup_mount(unified + cpu).is_v2);
  const CgroupMount mount = engine::find_cgroup_mount(unified + cpu + blkio);
  EXPECT_FALSE(mount.is_v2);
  EXPECT_EQ(mount.folder, "/sys/fs/cgroup/my blkio");
  EXPECT_EQ(mount.root, "/docker/1");
  EXPECT_EQ(engine::find_cgroup_mount(cpu).folder, "");
}

TEST(CgroupWeights, TextsOfAllFiles) {
  EXPECT_EQ(parse_weight("default 250\n8:0 300\n"), 250);
  EXPECT_EQ(parse_weight("100\n"), 100);
  EXPECT_EQ(parse_weight("0\n"), 1);
  EXPECT_EQ(parse_weight("70000\n"), 10000);
  EXPECT_EQ(parse_weight(""), std::nullopt);
  EXPECT_EQ(parse_weight("8:0 300\n"), std::nullopt);
}

TEST(CgroupWeights, FirstFileThatIsThereCounts) {
  const TemporaryFolder tree;
  tree.write("a/io.weight", "default 300\n");
  tree.write("a/io.bfq.weight", "default 30\n");
  tree.write("b/io.bfq.weight", "default 40\n");
  tree.write("c/blkio.bfq.weight", "50\n");
  tree.write("c/d/blkio.weight", "60\n");
  tree.write("e/cgroup.procs", "");
  CgroupWeights weights{{tree.path(), "/"}};
  EXPECT_EQ(weights.of("/a"), 300);
  EXPECT_EQ(weights.of("/b"), 40);
  EXPECT_EQ(weights.of("/c"), 50);
  EXPECT_EQ(weights.of("/c/d"), 60);
  EXPECT_EQ(weights.of("/e"), std::nullopt);
  EXPECT_EQ(weights.of("/gone"), std::nullopt);
}

TEST(CgroupWeights, ReadAgainAtRefreshAndForgottenUnlessAskedFor) {
  const TemporaryFolder tree;
  tree.write("a/io.weight", "default 300\n");
  CgroupWeights weights{{tree.path(), "/"}};
  EXPECT_EQ(weights.of("/a"), 300);
  tree.write("a/io.weight", "default 500\n");
  EXPECT_EQ(weights.of("/a"), 300);
  weights.refresh();
  EXPECT_EQ(weights.of("/a"), 500);
  weights.refresh();
  EXPECT_EQ(weights.size(), 1u);
  weights.refresh();
  EXPECT_EQ(weights.size(), 0u);
}

TEST(CgroupWeights, InAContainerPathsStartAtItsRoot) {
  const TemporaryFolder tree;
  tree.write("sub/io.weight", "default 300\n");
  CgroupWeights weights{{tree.path(), "/docker/1"}};
  EXPECT_EQ(weights.of("/docker/1/sub"), 300);
  EXPECT_EQ(weights.of("/docker/12/sub"), std::nullopt);
  EXPECT_EQ(weights.of("/sub"), std::nullopt);
  EXPECT_EQ(CgroupWeights{CgroupMount{}}.of("/sub"), std::nullopt);
}

}  // namespace
}  // namespace fairfs::test
