// The one place that says which interface of libfuse we speak: Debian 12's 3.14.
#pragma once

#define FUSE_USE_VERSION FUSE_MAKE_VERSION(3, 14)
#include <fuse_lowlevel.h>
