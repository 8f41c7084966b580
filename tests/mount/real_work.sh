#!/usr/bin/env bash
# Real work under the mount leaves exactly what native work leaves, bit for bit, against the same on the backing
# filesystem: a clone and build of this repository, a SQLite WAL workload with concurrent readers, rsync -aHAX of a
# generated tree, tar of sparse files and device nodes.
#
#   tests/mount/real_work.sh [--seed N] [--files N] [PART]...     parts: clone sqlite rsync tar (default all)
#
# FAIRFS           the program (default build/bin/fairfs): anything taking SOURCE MOUNTPOINT -f
# FAIRFS_TEST_DIR  where to work (default /var/tmp); must not be a tmpfs
# FAIRFS_NATIVE=1  no mount: both sides native, to see that the comparisons themselves hold
#
# Exit 0 if nothing differs, 1 with the differences printed, 77 with the reason where it cannot run.
set -u -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
readonly here
repository=$(cd "$here/../.." && pwd)
readonly repository
program=$(realpath -m "${FAIRFS:-$repository/build/bin/fairfs}")
readonly program
seed=1 files=20000 parts=()
while (($#)); do
  case $1 in
    --seed) seed=$2; shift 2 ;;
    --files) files=$2; shift 2 ;;
    clone | sqlite | rsync | tar) parts+=("$1"); shift ;;
    *) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
((${#parts[@]})) || parts=(clone sqlite rsync tar)

skip() { echo "$*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "needs root: owners, devices and ACLs are part of the comparison"
for tool in git cmake ninja g++ python3 rsync tar setfacl setfattr; do
  command -v "$tool" >/dev/null || skip "needs $tool"
done
if [ -z "${FAIRFS_NATIVE:-}" ]; then
  [ -w /dev/fuse ] || skip "no /dev/fuse here"
  [ -x "$program" ] || { echo "no program at $program"; exit 1; }
fi

work=$(mktemp -d "${FAIRFS_TEST_DIR:-/var/tmp}/fairfs-real-XXXXXX")
[ "$(stat -f -c %T "$work")" != tmpfs ] || { rmdir "$work"; skip "$work is on a tmpfs; set FAIRFS_TEST_DIR"; }
readonly work native=$work/native source=$work/source
mkdir "$native" "$source" "$work/mount"
mounted=$work/mount

. "$here/mount.sh"
# Always at the end: nothing of this run stays mounted, running or on the disk.
clean_up() {
  stop_mount
  is_mounted "$work/mount" || rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

if [ -n "${FAIRFS_NATIVE:-}" ]; then
  mounted=$source
else
  # Measuring the disk first is not what this is about; another program knows no such option.
  options=()
  if [ "$(basename "$program")" = fairfs ]; then options=(-o probe=off); fi
  start_mount "$work/mount" "$work/log" "$program" "$source" "$work/mount" -f "${options[@]}" || exit 1
fi

differences=0
# same WHAT A B: the two files must be equal; prints the first differing lines.
same() {
  if cmp -s "$2" "$3"; then
    echo "  same: $1 ($(wc -l <"$2") lines)"
  else
    echo "  DIFFERS: $1"
    diff -a "$2" "$3" | head -n 20
    differences=$((differences + 1))
  fi
}
# expect WHAT COMMAND...
expect() {
  local what=$1
  shift
  "$@" && echo "  right: $what" && return
  echo "  WRONG: $what"
  differences=$((differences + 1))
}
empty() { [ ! -s "$1" ] || { head -n 20 "$1"; false; }; }

# A tree as lines: type, mode, owner, links, size, name, link text; contents as hashes. Times differ by nature.
listing() { (cd "$1" && find . \( -name .git -prune -o -true \) -printf '%y %m %U:%G %n %p -> %l\n' | sort); }
hashes() { (cd "$1" && find . -name .git -prune -o -type f -print0 | sort -z | xargs -0 -r sha256sum); }

# ---- the parts ----------------------------------------------------------------------------------------------------

# The same path for both sides, so that what a build writes down about itself is equal: a private mount namespace in
# which the side's directory is bound to $work/here.
mkdir "$work/here"
at_here() {
  unshare -m --propagation private bash -c 'mount --bind "$1" "$2" && cd "$2" && shift 2 && "$@"' - \
    "$1" "$work/here" "${@:2}"
}

clone_and_build() {
  git clone -q "$1" clone && cd clone &&
    cmake -S . -B build -G Ninja -DFAIRFS_TESTS=OFF >/dev/null && ninja -C build fairfs_sched >/dev/null
}

part_clone() {
  # git's questions about who owns the checkout don't matter here.
  export HOME=$work
  git config --global safe.directory '*'
  export -f clone_and_build
  # Both clone the same moment, whoever commits to the checkout meanwhile.
  git clone -q --bare "$repository" "$work/origin" || expect "copying the repository" false
  local side
  for side in "$native" "$mounted"; do
    expect "clone and build in ${side##*/}" at_here "$side" bash -c 'clone_and_build "$0"' "$work/origin"
    git -C "$side/clone" status --porcelain --ignored >"$side.status" 2>&1
    git -C "$side/clone" rev-parse HEAD >"$side.head" 2>&1
    listing "$side/clone" >"$side.listing"
    hashes "$side/clone" | grep -E '\.(a|o|h|cc|cpp|txt|md|sh|py|toml)$' | grep -v CMakeFiles/.*txt >"$side.hashes"
    expect "git fsck in ${side##*/}" git -C "$side/clone" fsck --no-progress --no-dangling
  done
  local what
  for what in status head listing hashes; do same "$what of the clone" "$native.$what" "$mounted.$what"; done
  expect "an archive was built and compared" grep -q 'libfairfs_sched\.a$' "$native.hashes"
}

part_sqlite() {
  local side
  for side in "$native" "$mounted"; do
    expect "readers and writers in ${side##*/}" wal_workload "$side"
  done
  # The second dump is read from below the mount: what was written has arrived.
  same "dump" "$native.dump" "$mounted.dump"
  sqlite_dump "$native/test.db" >"$native.dump" && sqlite_dump "$source/test.db" >"$source.dump"
  same "dump of the backing file" "$native.dump" "$source.dump"
}
wal_workload() { timeout 120 python3 "$here/wal_workload.py" "$1/test.db" "$seed" >"$1.dump"; }
sqlite_dump() { python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump(), sep="\n")' "$1"; }

# rsync's own opinion: nothing differs, contents read.
rsync_differences() { rsync -aHAXn --numeric-ids --checksum --delete --itemize-changes "$1/" "$2/"; }
attributes() { (cd "$1" && getfattr -R -h -d -m - . 2>/dev/null); }
sparse_files() { (cd "$1" && find . -type f -printf '%b %s %p\n' | awk '$1 * 512 < $2 { $1 = ""; print }' | sort); }

part_rsync() {
  python3 "$here/make_tree.py" "$native/tree" "$files" "$seed" || expect "making the tree" false
  expect "rsync into the mount" rsync -aHAXS --numeric-ids "$native/tree/" "$mounted/copy/"
  expect "rsync out of the mount" rsync -aHAXS --numeric-ids "$mounted/copy/" "$native/copy/"
  rsync_differences "$native/tree" "$mounted/copy" >"$work/itemized" 2>&1
  expect "no differences, seen through the mount" empty "$work/itemized"
  rsync_differences "$native/tree" "$source/copy" >"$work/itemized" 2>&1
  expect "no differences on the backing filesystem" empty "$work/itemized"
  rsync_differences "$native/tree" "$native/copy" >"$work/itemized" 2>&1
  expect "no differences after the way back" empty "$work/itemized"
  local what
  for what in listing hashes attributes sparse_files; do
    "$what" "$native/copy" >"$native.$what"
    "$what" "$mounted/copy" >"$mounted.$what"
    same "$what of the tree" "$native.$what" "$mounted.$what"
  done
}

readonly tar_options=(--xattrs --xattrs-include='*' --acls --numeric-owner --sparse --warning=no-timestamp)
# One archive to compare bit for bit. GNU's format: the posix one writes process ids and times of access down.
reference() { tar -C "$1" --format=gnu --numeric-owner --sparse --warning=no-timestamp --sort=name -cf "$2" .; }

part_tar() {
  python3 "$here/make_tree.py" "$native/packed" $((files / 20)) $((seed + 1)) || expect "making the tree" false
  tar -C "$native/packed" --format=posix "${tar_options[@]}" -cf "$work/packed.tar" .
  local side
  for side in "$native" "$mounted"; do
    mkdir "$side/unpacked"
    expect "unpacking in ${side##*/}" tar -C "$side/unpacked" "${tar_options[@]}" -xpf "$work/packed.tar"
    expect "tar --compare in ${side##*/}" tar -C "$side/unpacked" "${tar_options[@]}" --compare -f "$work/packed.tar"
    reference "$side/unpacked" "$side.tar"
    sha256sum <"$side.tar" >"$side.sum"
    (cd "$side/unpacked" && find . -printf '%y %m %U:%G %n %s %T@ %p -> %l\n' | sort) >"$side.listing"
    (cd "$side/unpacked" && find . \( -type b -o -type c \) -exec stat -c '%n %F %t:%T' {} + | sort) >"$side.devices"
    attributes "$side/unpacked" >"$side.attributes"
  done
  expect "there are devices" test -s "$native.devices"
  local what
  for what in sum listing devices attributes; do same "$what of the unpacked" "$native.$what" "$mounted.$what"; done
}

# ---- the work -----------------------------------------------------------------------------------------------------

for part in "${parts[@]}"; do
  echo "$part (seed $seed)"
  "part_$part"
done
if ((differences)); then
  echo "$differences differences"
  exit 1
fi
echo "real work leaves what native work leaves: ${parts[*]}"
