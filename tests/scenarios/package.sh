#!/bin/sh
# package.sh: the .deb from a machine's first day to its last. Builds it, asks lintian, installs it on a clean Debian
# root (debootstrap), mounts from fstab, through mount(8), as a user and as the unit files say, upgrades, removes and
# purges: nothing is left behind. All in a folder, a mount namespace and a process namespace of its own.
#
# FAIRFS_DEBIAN_ROOT: a tar file of a minimal root, instead of debootstrap. FAIRFS_BUILD: the build to package.
set -u

scenario_root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
: "${FAIRFS_BUILD:=$scenario_root/build}"
failures=0

skip() { echo "skipped: $1"; exit 77; }
expect() { # expect WHAT COMMAND...
  what=$1
  shift
  if "$@"; then echo "ok    $what"; else echo "WRONG $what"; failures=$((failures + 1)); fi
}
refuse() { ! "$@" 2> /dev/null; }
inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin DEBIAN_FRONTEND=noninteractive "$@"; }
quietly() { "$@" > "$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }; }
# Clocks of machines under test may be ahead of the archive's signatures.
apt() { quietly inside apt-get -qq -o Acquire::Check-Valid-Until=false -o Acquire::Check-Date=false "$@"; }

# Outside: a folder, and namespaces whose end takes mounts and processes with them.
if [ -z "${PACKAGE_WORK:-}" ]; then
  [ "$(id -u)" = 0 ] || skip "needs root"
  [ -c /dev/fuse ] || skip "there is no /dev/fuse"
  [ -n "${FAIRFS_DEBIAN_ROOT:-}" ] || command -v debootstrap > /dev/null || skip "there is no debootstrap"
  for program in cpack dpkg-shlibdeps unshare; do
    command -v "$program" > /dev/null || skip "there is no $program"
  done
  work=$(mktemp -d /var/tmp/fairfs-package.XXXXXX)
  trap 'rm -rf --one-file-system "$work"' EXIT
  trap 'kill -KILL "$child"; wait "$child"; exit 1' INT TERM
  PACKAGE_WORK=$work unshare --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@" &
  child=$!
  wait "$child"
  exit $?
fi

work=$PACKAGE_WORK root=$work/root

# Two packages of the same files: of this version, and one that is newer.
build_packages() {
  for version in now next; do
    set -- -B "$work/$version"
    [ "$version" = now ] || set -- "$@" -D CPACK_PACKAGE_VERSION=999.0
    quietly cpack --config "$FAIRFS_BUILD/CPackConfig.cmake" "$@" || return 1
    mv "$work/$version"/*.deb "$work/$version.deb"
  done
}

make_root() {
  mkdir -p "$root"
  if [ -n "${FAIRFS_DEBIAN_ROOT:-}" ]; then
    tar -C "$root" -xpf "$FAIRFS_DEBIAN_ROOT" || exit 1
  else
    quietly debootstrap --variant=minbase bookworm "$root" || skip "debootstrap could not fetch Debian"
  fi
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs tmpfs "$root/run"
  [ -e "$root/dev/fuse" ] || mknod -m 666 "$root/dev/fuse" c 10 229
  [ -e "$root/etc/mtab" ] || ln -s ../proc/self/mounts "$root/etc/mtab"  # as systemd makes it
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  apt update || skip "apt in the new root could not reach Debian"
  # An ordinary user's mounts go by this; it is recommended, not needed.
  apt install -y --no-install-recommends fuse3 || skip "apt in the new root could not install fuse3"
}

# What is there, but for what apt and dpkg remember for themselves.
list_files() {
  inside find / -xdev \( -path /proc -o -path /sys -o -path /var/lib/apt -o -path /var/cache/apt -o -path /var/log -o \
    -path /var/lib/dpkg -o -path /var/cache/debconf -o -path /var/cache/ldconfig \) -prune -o -print | sort
}

mounted() { findmnt -n -o FSTYPE "$root$1" | grep -qx fuse.fairfs; }
# Whatever way it was mounted: it is the type that it should be, and shows the source.
works() {
  mounted "$1" && inside sh -c "echo word > $1/file" && [ "$(cat "$root/data/file")" = word ] &&
    inside fairfs-stat "$1" --once | grep -q "^$1 <- /data"
}
unmount() {
  inside umount "$1" || return 1
  # The daemon goes when its mount has; its socket goes with it.
  for _ in $(seq 100); do
    [ -n "$(ls "$root/run/fairfs" 2> /dev/null)" ] || return 0
    sleep 0.1
  done
  return 1
}

# The lines of an installed unit, as systemd reads them: key of "Key=value".
unit_value() { sed -n "s/^$1=//p" "$2"; }

mount_as_unit() {
  unit=$root/usr/share/doc/fairfs/examples/mnt-fair.mount
  inside mount -t "$(unit_value Type "$unit")" -o "$(unit_value Options "$unit"),probe=off" \
    "$(unit_value What "$unit")" "$(unit_value Where "$unit")"
}

# The service's command with its specifiers put in, and somebody who listens on NOTIFY_SOCKET.
serve_as_unit() {
  printf 'SOURCE=/data\nOPTIONS=probe=off,weights=/etc/fairfs/weights.toml\n' > "$root/etc/fairfs/mnt-fair.conf"
  command=$(unit_value ExecStart "$root/usr/lib/systemd/system/fairfs@.service" | sed 's,%f,/mnt/fair,')
  # Not in the root: its python is none of the package's business.
  python3 -c '
import socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
listener.settimeout(30)
print("listens", flush=True)
sys.exit(0 if listener.recv(4096).startswith(b"READY=1\n") else 1)' "$root/run/notify" > "$work/listener" &
  listener=$!
  for _ in $(seq 100); do
    [ -s "$work/listener" ] && break
    sleep 0.1
  done
  # Not by `inside`: the process that is started must be the service.
  (exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin NOTIFY_SOCKET=/run/notify \
    sh -c ". /etc/fairfs/mnt-fair.conf; exec $command") 2> "$work/service.log" &
  service=$!
  wait "$listener" || { cat "$work/service.log"; return 1; }
}
service_reloads() {
  inside sh -c "$(unit_value ExecReload "$root/usr/lib/systemd/system/fairfs@.service" | sed 's,%f,/mnt/fair,')"
}
service_stops() { kill "$service" && wait "$service" && ! mounted /mnt/fair; }

as_user() { inside setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/somebody "$@"; }
user_mounts() {
  as_user fairfs /home/somebody/source /home/somebody/mount -o probe=off &&
    as_user sh -c 'echo word > /home/somebody/mount/file && grep -q word /home/somebody/source/file' &&
    as_user fusermount3 -u /home/somebody/mount && rm "$root/home/somebody/source/file"
}

expect "the package is built" build_packages || exit 1
[ -f "$work/next.deb" ] || exit 1
if command -v lintian > /dev/null; then
  expect "lintian finds no error in it" quietly lintian --allow-root --fail-on error,warning "$work/now.deb"
else
  echo "left out: there is no lintian"
fi
make_root
mkdir -p "$root/data" "$root/mnt/fair"
inside useradd -m -u 1000 somebody
as_user mkdir /home/somebody/source /home/somebody/mount
list_files > "$work/before"

cp "$work/now.deb" "$root/run/fairfs.deb"
expect "it installs, with what it needs" apt install -y --no-install-recommends /run/fairfs.deb
expect "and runs" inside fairfs --version
mkdir "$root/etc/fairfs"
expect "an example is where the manual says" \
  cp "$root/usr/share/doc/fairfs/examples/weights.toml" "$root/etc/fairfs/weights.toml"
expect "and is right" inside fairfs --check-config /etc/fairfs/weights.toml

cp "$root/etc/fstab" "$work/fstab"
echo '/data  /mnt/fair  fuse.fairfs  probe=off,weights=/etc/fairfs/weights.toml,nofail  0 0' >> "$root/etc/fstab"
expect "mount -a, from fstab" inside mount -a
expect "it works" works /mnt/fair
expect "and ends" unmount /mnt/fair
cp "$work/fstab" "$root/etc/fstab"
for type in fuse.fairfs fairfs; do
  expect "mount -t $type" inside mount -t "$type" /data /mnt/fair -o probe=off
  expect "it works" works /mnt/fair
  expect "and ends" unmount /mnt/fair
done
expect "mount refuses an option that isn't one" refuse inside mount -t fuse.fairfs /data /mnt/fair -o nonsense
expect "and mounts nothing then" refuse mounted /mnt/fair
expect "as the mount unit says" mount_as_unit
expect "it works" works /mnt/fair
expect "and ends" unmount /mnt/fair
expect "as the service says, ready when it says so" serve_as_unit
expect "it works" works /mnt/fair
expect "the service's reload reads the weights" service_reloads
echo 'default_weight = 0' > "$root/etc/fairfs/weights.toml"
expect "and fails where they are wrong" refuse service_reloads
expect "it stops in order" service_stops
expect "an ordinary user mounts and unmounts" user_mounts

expect "mounted once more" inside mount -t fuse.fairfs /data /mnt/fair -o probe=off
cp "$work/next.deb" "$root/run/fairfs.deb"
expect "it is upgraded beneath a mount" apt install -y --no-install-recommends /run/fairfs.deb
expect "to the version that is newer" inside sh -c 'dpkg-query -W fairfs | grep -q 999.0'
expect "and the mount still works" works /mnt/fair
expect "it is removed beneath a mount" apt remove -y fairfs
expect "which still shows the source" test "$(cat "$root/mnt/fair/file")" = word
expect "and ends" unmount /mnt/fair
expect "what is left is purged" apt purge -y --autoremove fairfs
rm -r "$root/etc/fairfs" "$root/data/file" "$root/run/fairfs.deb"
rm -f "$root/run/notify"
list_files > "$work/after"
expect "nothing is left behind" diff "$work/before" "$work/after"
expect "nor in /run" test -z "$(find "$root/run" -name '*fairfs*')"

echo "$failures failures"
[ "$failures" -eq 0 ]
