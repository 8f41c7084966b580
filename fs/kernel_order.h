// What the thread sanitizer can't see: the kernel sends a request only after the answers that made it possible.
#pragma once

#ifdef __SANITIZE_THREAD__
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace fairfs::fs {

// The sanitizer takes a read to follow the writes on the same descriptor alone; the waiting one and its clone serve one
// connection, and one that fusermount3 has sent counts as a file of its own. Nothing in other builds. Thread-safe.
#ifdef __SANITIZE_THREAD__
inline char kernel_order_mark;
/// Before an answer is written: all that this thread has done comes before.
inline void before_answer() noexcept { __tsan_release(&kernel_order_mark); }
/// After a request was read: all that was done before the answers until now.
inline void after_request() noexcept { __tsan_acquire(&kernel_order_mark); }
#else
inline void before_answer() noexcept {}
inline void after_request() noexcept {}
#endif

}  // namespace fairfs::fs
