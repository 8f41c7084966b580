// libFuzzer's entry: any bytes are a sequence of scheduler calls. tests/sched/call_sequence_test.cc replays a made
// corpus.
#include <cstddef>
#include <cstdint>

#include "tests/sim/call_sequence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fairfs::test::run_call_sequence({data, size});
  return 0;
}
