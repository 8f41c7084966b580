// Requests that Debian 12's libfuse has no handler for, answered by their raw form.
#pragma once

#include <sys/uio.h>

#include <cstdint>

#include "fs/message.h"
#include "fs/mount.h"

namespace fairfs::fs {

/// Numbers of the kernel's protocol that libfuse 3.14's headers are too old for (include/uapi/linux/fuse.h, 7.37-7.39).
inline constexpr std::uint32_t kOpcodeStatx = 52;

/// True when the message has been answered here. TMPFILE becomes a CREATE whose flags have O_TMPFILE: their bodies are
/// equal.
[[nodiscard]] bool answer_raw(Mount& mount, Message& message) noexcept;

/// Asks the kernel for what libfuse 3.14 can't ask for, in the answer to INIT that libfuse is sending:
/// HANDLE_KILLPRIV_V2, with which no GETXATTR comes before each write. `parts` is changed in place; other answers pass.
void amend_init_answer(const Message* message, iovec* parts, int count) noexcept;

}  // namespace fairfs::fs
