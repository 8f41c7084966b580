#!/usr/bin/env bash
# Everything a change has to pass, as the first command on a fresh checkout of a fresh machine: installs what is
# missing, builds with g++, checks the product with clang++, runs the unit, mount and scenario tests.
# Last line: "N passed, N failed". What was skipped is listed before it, with the reason. Under 15 minutes.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

readonly build="$PWD/build"
readonly jobs="$(nproc)"
readonly script_limit=420          # seconds for one scenario script
passed=0 failed=0 skips=()

step() { printf '\n== %s\n' "$*"; }

finish() {
  if ((${#skips[@]})); then
    step "skipped"
    printf '%s\n' "${skips[@]}"
  fi
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
  exit
}

# Runs a step that nothing else can do without.
must() {
  "$@" && return
  echo "FAILED: $*"
  failed=$((failed + 1))
  finish
}

# Runs one check, a script of its own: exit 77 means skipped, its last line says why.
check() {
  local name=$1 output status
  shift
  step "$name"
  output=$(mktemp)
  "$@" 2>&1 | tee "$output"
  status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skips+=("$name: $(tail -n 1 "$output")") ;;
    *) failed=$((failed + 1)); echo "FAILED ($status): $name" ;;
  esac
  rm -f "$output"
}

# Mounts need root. Without it and without sudo the tests run all the same and say what they skip.
as_root() {
  if [ "$(id -u)" -ne 0 ] && sudo -n true 2>/dev/null; then sudo -n -E "$@"; else "$@"; fi
}

configure() {
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S . -B "$build" -G Ninja -DFAIRFS_TESTS=ON -DCMAKE_CXX_COMPILER=g++ "${launcher[@]}"
}

# The product's sources once more, with the second compiler and the same flags.
clang_syntax() {
  python3 - "$build/compile_commands.json" "$PWD" <<'PYTHON' | xargs -0 -r -n 1 -P "$jobs" bash -c
import json, os, shlex, sys
commands, root = sys.argv[1:]
for entry in json.load(open(commands)):
    folder = os.path.relpath(entry["file"], root).split("/")[0]
    whole = "/fairfs_sched.dir/Unity/" in entry["file"]  # of all of them in one
    if not whole and folder not in ("sched", "probe", "fs", "cli"):
        continue
    words = shlex.split(entry["command"])
    while not os.path.basename(words[0]).startswith(("g++", "c++")):  # a launcher such as ccache
        words.pop(0)
    out = words.index("-o")
    del words[out:out + 2]
    # It does not know the names of gcc's own warnings.
    words = ["clang++", "-fsyntax-only", "-Wno-unknown-warning-option"] + words[1:]
    line = "cd %s && %s" % (shlex.quote(entry["directory"]), " ".join(map(shlex.quote, words)))
    sys.stdout.write(line + "\0")
PYTHON
}

unit_tests() {
  local report="$build/tests.xml" counts
  rm -f "$report"
  as_root ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error --output-junit "$report"
  if [ ! -s "$report" ]; then
    echo "ctest left no report"
    failed=$((failed + 1))
    return
  fi
  # First line the counts, then one line for each skipped test with the line after gtest's "Skipped".
  mapfile -t counts < <(python3 - "$report" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
cases = list(tree.parse(sys.argv[1]).getroot().iter("testcase"))
skipped = [case for case in cases if case.get("status") in ("notrun", "disabled")]
bad = [case for case in cases if case.get("status") == "fail"]
print(len(cases) - len(skipped) - len(bad), len(bad))
for case in skipped:
    lines = (case.findtext("system-out") or "").splitlines()
    reasons = [after for line, after in zip(lines, lines[1:]) if line.endswith("Skipped")]
    print("%s: %s" % (case.get("name"), reasons[0] if reasons else "not run"))
PYTHON
  )
  passed=$((passed + ${counts[0]% *}))
  failed=$((failed + ${counts[0]#* }))
  skips+=("${counts[@]:1}")
}

must .ci/deps
step "build (g++)"
must configure
must cmake --build "$build" -j "$jobs"
check "clang++ -fsyntax-only" clang_syntax
step "ctest"
unit_tests
export FAIRFS_BUILD=$build FAIRFS=$build/bin/fairfs
check "tests/mount/real_work.sh" as_root timeout "$script_limit" tests/mount/real_work.sh
check "tests/cli/view_terminal.sh" as_root timeout "$script_limit" tests/cli/view_terminal.sh
check "tests/cli/explain.sh" as_root timeout "$script_limit" tests/cli/explain.sh
check "tests/cli/formats.sh" as_root timeout "$script_limit" tests/cli/formats.sh
# What holds on a busy machine. The scenarios that time an fsync or a probe are for tests/long.sh, on an idle one.
for name in modelled_disk s1 faults write_errors power_cuts socket; do
  script=tests/scenarios/$name.sh
  check "$script --quick" as_root timeout "$script_limit" "$script" --quick
done
finish
