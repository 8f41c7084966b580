#!/usr/bin/env bash
# What takes longer than tests/run.sh may: sanitizers, full scenarios, benchmarks, fuzzing, a soak.
#
#   tests/long.sh [PART]...       default: all parts, in this order
#     address    build with -fsanitize=address,undefined; unit and mount tests, with a daemon built the same way
#     thread     the same with -fsanitize=thread
#     differential  a million random operations on a mount and a native directory, in ten sequences of new seeds
#                (FAIRFS_SEED: of that one and the nine after it)
#     exerciser  one file against a model for 30 minutes, and 10 more with write_behind=off (FAIRFS_SECONDS: each that)
#     scenarios  every tests/scenarios/*.sh at full length
#     mixes      10,000 random mixes of flows, weights, classes, sizes, think times and devices in the simulator
#     bench      every benchmark of tests/bench, plain build
#     fuzz       every fuzz target for 10 minutes (clang)
#     soak       mixed load with dropped caches under memory pressure for 30 minutes, then mount tests in random order
#                and real work with new seeds, for SOAK_MINUTES (default 10)
#
# Last line: "N passed, N failed", counting one for each test run, script, benchmark, target and round.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

readonly jobs="$(nproc)"
readonly short_seconds=600
readonly long_seconds=1800
passed=0 failed=0 skipped=0

check() {
  local name=$1 status
  shift
  printf '\n== %s\n' "$name"
  "$@"
  status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)); echo "SKIPPED: $name" ;;
    *) failed=$((failed + 1)); echo "FAILED ($status): $name" ;;
  esac
}

# build DIRECTORY [CMAKE OPTION]...
build() {
  local directory=$1 launcher=()
  shift
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S . -B "$directory" -G Ninja "${launcher[@]}" "$@" >/dev/null && cmake --build "$directory" -j "$jobs"
}

sanitized_tests() {
  build "build-$1" -DFAIRFS_SANITIZE="$2" &&
    ctest --test-dir "build-$1" -j "$jobs" --output-on-failure --no-tests=error
}

address() {
  export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
  check "tests under address,undefined" sanitized_tests address address,undefined
}

thread() {
  export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
  check "tests under thread" sanitized_tests thread thread
}

plain_build() {
  check "plain build" build build
  export FAIRFS_BUILD=$PWD/build FAIRFS=$PWD/build/bin/fairfs
}

scenarios() {
  plain_build
  local script
  for script in tests/scenarios/*.sh; do
    if [ -x "$script" ]; then check "$script" "$script"; fi
  done
}

bench() {
  plain_build
  local source
  for source in tests/bench/*_bench.cc; do
    [ -e "$source" ] && check "$source" "build/tests/$(basename "$source" .cc)"
  done
}

fuzz() {
  local source name
  check "fuzz build" build build-fuzz -DCMAKE_CXX_COMPILER=clang++ -DFAIRFS_FUZZ=ON -DFAIRFS_TESTS=ON
  for source in tests/fuzz/*_fuzz.cc; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .cc)
    mkdir -p "build-fuzz/corpus/$name"
    check "$name for $short_seconds s" "build-fuzz/tests/$name" -max_total_time="$short_seconds" \
      -artifact_prefix=build-fuzz/ "build-fuzz/corpus/$name"
  done
}

# mount_tests FILTER [NAME=VALUE]...
mount_tests() {
  local filter=$1
  shift
  env "$@" build/tests/fairfs_mount_tests --gtest_filter="$filter"
}

# In pieces, so that a difference is met with a short history.
differential() {
  plain_build
  local first=${FAIRFS_SEED:-$((RANDOM * 32768 + RANDOM))} seed
  for ((seed = first; seed < first + 10; seed++)); do
    check "differential, seed $seed" mount_tests Differential.AnySeed FAIRFS_SEED="$seed" FAIRFS_OPERATIONS=100000
  done
}

exerciser() {
  plain_build
  check "one file against a model" mount_tests 'Exerciser.*' FAIRFS_SECONDS="${FAIRFS_SECONDS:-$long_seconds}"
  check "the same with write_behind=off" mount_tests 'Exerciser.*' FAIRFS_OPTIONS=write_behind=off \
    FAIRFS_SECONDS="${FAIRFS_SECONDS:-$short_seconds}"
}

mixes() {
  plain_build
  check "10,000 mixes of flows" env FAIRFS_MIXES=10000 build/tests/fairfs_sched_tests --gtest_filter='Mixes.*'
}

soak() {
  plain_build
  check "soak" mount_tests 'Soak.*' FAIRFS_SOAK_SECONDS="$long_seconds"
  local end=$((SECONDS + ${SOAK_MINUTES:-10} * 60)) seed=1
  while ((SECONDS < end)); do
    check "mount tests, order $seed" build/tests/fairfs_mount_tests --gtest_brief=1 --gtest_shuffle \
      --gtest_random_seed="$seed"
    check "real work, seed $seed" tests/mount/real_work.sh --seed "$seed"
    seed=$((seed + 1))
  done
}

.ci/deps || exit 1
for part in "${@:-all}"; do
  case $part in
    all) for each in address thread differential exerciser scenarios mixes bench fuzz soak; do "$each"; done ;;
    address | thread | differential | exerciser | scenarios | mixes | bench | fuzz | soak) "$part" ;;
    *) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
((skipped == 0)) || printf '\n%d skipped\n' "$skipped"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
