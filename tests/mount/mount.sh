# Shell functions for scripts that need a mount: starts one, waits for it, ends it. To be sourced.
# One mount at a time; the caller sets a trap that calls stop_mount.

mount_daemon="" mount_point=""

# wait_until SECONDS COMMAND...: a bounded wait for something that nothing announces to a script.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.02
  done
}

is_mounted() { grep -q " $1 " /proc/self/mountinfo; }
daemon_is_gone() { ! kill -0 "$mount_daemon" 2>/dev/null; }
mounted_or_gone() { is_mounted "$mount_point" || daemon_is_gone; }

# start_mount MOUNTPOINT LOG COMMAND...: runs COMMAND, which stays in the foreground, until MOUNTPOINT is mounted.
start_mount() {
  local log=$2
  mount_point=$1
  shift 2
  "$@" >"$log" 2>&1 &
  mount_daemon=$!
  wait_until 20 mounted_or_gone
  is_mounted "$mount_point" && stat "$mount_point" >/dev/null && return
  echo "$* didn't mount:" >&2
  cat "$log" >&2
  stop_mount
  return 1
}

# stop_mount: unmounts and waits for the daemon's end; forces both after a while. Harmless without a mount.
stop_mount() {
  [ -n "$mount_daemon" ] || return 0
  umount "$mount_point" 2>/dev/null
  wait_until 20 daemon_is_gone || kill -KILL "$mount_daemon" 2>/dev/null
  wait "$mount_daemon" 2>/dev/null
  if is_mounted "$mount_point"; then umount -l "$mount_point"; fi
  mount_daemon=""
}
