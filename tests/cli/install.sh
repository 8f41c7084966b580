#!/bin/sh
# install.sh BUILD: what `cmake --install` leaves is all there and right: links, units, manual, completion.
set -u

build=$1
root=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-install.XXXXXX")
trap 'rm -rf "$root"' EXIT
failures=0

expect() { # expect WHAT COMMAND...
  what=$1
  shift
  if "$@"; then echo "ok    $what"; else echo "WRONG $what"; failures=$((failures + 1)); fi
}
# silent COMMAND...: it succeeds and has nothing to say.
silent() {
  "$@" > "$root/said" 2>&1 && [ ! -s "$root/said" ] && return
  cat "$root/said" >&2
  return 1
}
refuse() { ! "$@" 2> /dev/null; }
available() { command -v "$1" > /dev/null || { echo "left out: no $1 here"; return 1; }; }

cmake --install "$build" --prefix "$root/usr" > "$root/log" || { cat "$root/log"; exit 1; }
cd "$root/usr" || exit 1
expect "the programs run from there" test "$(bin/fairfs -V) $(bin/fairfs-stat -V)" = "$("$build/bin/fairfs" -V) $(
  "$build/bin/fairfs-stat" -V)"
for helper in mount.fairfs mount.fuse.fairfs; do
  expect "$helper is a link to it" test "$(realpath "sbin/$helper")" = "$root/usr/bin/fairfs"
done

unit=lib/systemd/system/fairfs@.service
expect "the unit names the program where it is" grep -q "^ExecStart=$root/usr/bin/fairfs " "$unit"
if available systemd-analyze; then
  examples=share/doc/fairfs/examples
  # It exits with 0 whatever it has to say.
  expect "systemd takes the service" silent systemd-analyze verify --man=no "$PWD/$unit"
  expect "and the mount" silent systemd-analyze verify --man=no "$PWD/$examples/mnt-fair.mount"
  sed 's/^Type=notify/Type=nonsense/' "$unit" > "$root/wrong@.service"
  expect "and not everything" refuse silent systemd-analyze verify --man=no "$root/wrong@.service"
fi

for page in fairfs.8 mount.fairfs.8 mount.fuse.fairfs.8 fairfs-stat.1 fairfs-weights.5; do
  file=share/man/man${page##*.}/$page.gz
  expect "$page is there" test -s "$file"
  if available man; then
    expect "and man formats it without complaint" silent sh -c "MANWIDTH=80 MANPATH=$PWD/share/man \
      man --warnings=w -P cat ${page##*.} ${page%.*} 2>&1 > '$root/page'"
    expect "with all of its text" grep -q "^SEE ALSO" "$root/page"
  fi
  ! available mandoc || expect "nor has mandoc any" silent mandoc -Tlint -Wwarning "$file"
done

for program in fairfs fairfs-stat; do
  expect "bash takes the completion of $program" silent bash -n "share/bash-completion/completions/$program"
  ! available zsh || expect "and zsh" silent zsh -n "share/zsh/site-functions/_$program"
done

for file in "$PWD"/share/doc/fairfs/examples/*.toml; do
  expect "fairfs takes ${file##*/}" bin/fairfs --check-config "$file"
done

echo "$failures failures"
[ "$failures" -eq 0 ]
