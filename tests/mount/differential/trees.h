// Whether whole trees are alike.
#pragma once

#include <string>

namespace fairfs::test {

/// Compares every file of the three roots (descriptors of directories): the mount with its own source in all that
/// statx tells, extended attributes, contents and holes; the mount with its twin in all that twins share, and in which
/// names are links of one file. Answers with the first difference, or nothing.
std::string difference_of_trees(int mounted_root, int source_root, int native_root);

}  // namespace fairfs::test
