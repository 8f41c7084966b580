# shellcheck shell=bash disable=SC2034  # the names are for the script that sources this
# Where a benchmark mounts: a folder of its own. To be sourced.
. "$(dirname "${BASH_SOURCE[0]}")/../mount/mount.sh"

# take_place DIRECTORY NAME: $work of this process's own in DIRECTORY, with $source and $mount; gone with the script.
take_place() {
  work=$1/fairfs-$2-$$ source=$work/source mount=$work/mount
  readonly work source mount
  mkdir "$work" || exit 1
  trap leave_place EXIT
  trap 'exit 1' INT TERM
  mkdir "$source" "$mount" || exit 1
}

# With what is mounted still there, nothing is removed.
leave_place() {
  stop_mount
  is_mounted "$mount" || rm -rf --one-file-system "$work"
}
