// What the kernel is told without having asked.
#pragma once

#include "fs/fuse.h"

namespace fairfs::fs {

/// The kernel asks for the attributes of `node` again before it uses them. For requests that fail with something
/// changed already (an allocation that runs out of space half-way): after an error the kernel keeps what it had.
/// To be called by a handler, before it answers, for a node that its request names: nothing is waited for then.
void attributes_are_old(fuse_ino_t node) noexcept;

}  // namespace fairfs::fs
