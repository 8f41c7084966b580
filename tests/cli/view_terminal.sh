#!/bin/sh
# view_terminal.sh: fairfs-stat driven in a real terminal (tmux), over two programs that compete on a modelled disk.
#
# It sorts, filters, changes a weight and undoes it (both times the shares on the screen must follow within 2 s), lives
# through every size, without colours, on a dumb terminal, through the daemon's death and its return, and leaves the
# terminal as it was. Exits 77 where that can't be had.
set -eu

SCENARIO=view
# shellcheck source-path=SCRIPTDIR source=../scenarios/lib.sh
. "$(dirname "$0")/../scenarios/lib.sh"

model=ssd:channels=8,read_us=800,write_us=800,mb_s=300
failures=0 panels=0 panel=''

command -v tmux > /dev/null || scenario_skip "there is no tmux"

on_panel() { tmux -L "$panel" -f /dev/null "$@"; }
keys() { on_panel send-keys -t view "$@"; }
screen() { on_panel capture-pane -t view -p; }

disk_cleanup() {
  on_panel kill-server 2> /dev/null || true
  # shellcheck disable=SC2086  # one word for each process
  [ -z "$fio_pids" ] || { kill $fio_pids && wait $fio_pids; } 2> /dev/null || true
  fairfs_down || true
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

check() {
  name=$1
  shift
  if "$@"; then
    echo "ok: $name"
  else
    echo "FAILED: $name; the screen:"
    screen || true
    failures=$((failures + 1))
  fi
}

shows() { screen | grep -qE -- "$1"; }
hides() { ! shows "$1"; }
colourless() { ! on_panel capture-pane -t view -p -e | grep -qE '\[[0-9;]*3[1-7]m'; }
# soon SECONDS PATTERN: the screen shows it by then.
soon() { disk_wait "$1" shows "$2"; }
# order FIRST SECOND: the line that shows the one is above the other's.
order() {
  screen | awk -v first="$1" -v second="$2" '
    $0 ~ first { a = NR } $0 ~ second { b = NR } END { exit !(a && b && a < b) }'
}
in_order() { disk_wait 5 order "$1" "$2"; }

# got NAME LEAST MOST: the share on the screen is within these, in per cent.
got() {
  screen | awk -v name="$1" -v least="$2" -v most="$3" '
    /FLOW/ { for (i = 1; i <= NF; ++i) if ($i == "GOT") column = i }
    index($0, name "[") && column {
      # The bar has blanks in it: what is behind it counts from the end.
      sub(/\[[^]]*\]/, ""); sub(/\[[^]]*\]/, "bar")
      for (i = 1; i <= NF; ++i) if ($i ~ /%/) share[++n] = $i
      value = share[2] + 0
      found = value >= least && value <= most
    }
    END { exit !found }'
}
soon_got() { disk_wait "$1" got "$2" "$3" "$4"; }

# viewer COLUMNS LINES COMMAND: a tmux server of its own, as the last one may still be about to end.
viewer() {
  panels=$((panels + 1)) panel=fairfs-view-$$-$panels
  on_panel new-session -d -s view -x "$1" -y "$2" "$3"
}

# Weights as they stand, whatever nice(1) we run under: its level scales them.
ionice -c 2 -n 4 -p $$
scenario_up "$model" 512
for name in one two; do
  dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count=64 conv=fsync status=none
  cp "$(command -v fio)" "$scenario_work/fio-$name"
done
disk_on
fairfs_up grouping=process
for name in one two; do
  fio_start "$scenario_work/fio-$name" '' "$name" 120 --iodepth=64 --thread
done

export LC_ALL=C.UTF-8
stat=$FAIRFS_BUILD/bin/fairfs-stat
viewer 80 24 "$stat $fairfs_mount --interval 0.5; echo ended with \$?; exec cat"
check "weights are in force" soon 10 '^weights +in force: 2 flows backlogged'
check "two programs of equal weight share equally" soon_got 5 fio-one 45 55
check "the heading fits 80 columns" soon 2 '^FLOW +WEIGHT +SHARE +DUE +GOT +READ/s +WRITE/s +QUEUE +WAIT99$'

# Sorting: by name, and the other way round. (Shares that look the same go by name, too.)
turns=0
until shows 'sorted by FLOW' || [ $turns = 40 ]; do keys '>'; turns=$((turns + 1)); sleep 0.1; done
check "sorts by name" in_order 'fio-one' 'fio-two'
keys I
check "turns the order round" in_order 'fio-two' 'fio-one'
keys I

keys / two
check "filters while it is typed" soon 2 '^show only: two'
check "and shows what matches" disk_wait 2 hides fio-one
keys Escape
check "shows all again" soon 2 'fio-one'

keys / one Enter
check "one row is left to choose" disk_wait 2 hides fio-two
keys r 300 Enter
check "says what was set" soon 2 'fio-one\[[0-9]+\]: weight=300'
keys / Escape
check "shares follow a weight within 2 s" soon_got 2 fio-one 70 80
check "the weight is marked as set by hand" soon 2 'fio-one\[[0-9]+\] +300\*'
check "the other's share moved with it" soon_got 2 fio-two 20 30
keys o
check "lists what is set" soon 2 '^pid=[0-9]+,weight=300'
keys q
keys / one Enter F9
check "says that it is undone" soon 2 'fio-one\[[0-9]+\]: undone'
keys / Escape
check "shares follow the undoing within 2 s" soon_got 2 fio-one 45 55
check "the mark is gone" soon 2 'fio-one\[[0-9]+\] +100 '
keys / one Enter F8
check "raises a weight by a tenth" soon 2 'fio-one\[[0-9]+\] +110\*'
keys u / Escape
keys / two Enter r 0 Enter
check "a wrong weight is refused in words" soon 2 'weight = 0 is out of range; allowed is a whole number'
keys / Escape

on_panel resize-window -t view -x 200 -y 50
check "a wide terminal has every column" soon 3 'CLASS.*REQ/s.*DISK99.*SYNC99.*STARVED.*LAST MINUTE'
check "and the last minute" soon 5 'fio-one.*[▁▂▃▄▅▆▇█]{1,}'
on_panel resize-window -t view -x 30 -y 8
check "a tiny one says so" soon 3 '^this terminal is too small'
on_panel resize-window -t view -x 80 -y 24
check "80 by 24 again" soon 3 '^FLOW +WEIGHT +SHARE'
keys F1
check "help" soon 2 '^F1 h \? +this page'
keys q

# shellcheck disable=SC2086
{ kill $fio_pids && wait $fio_pids; } 2> /dev/null || true
fio_pids=''

# The daemon dies, and comes back.
kill -9 "$fairfs_pid"
check "the daemon's death has a clear line" soon 5 '^trouble +stat: .*its daemon is gone'
check "and is waited for" soon 2 'waiting for it to come back'
wait "$fairfs_pid" 2> /dev/null || true
umount -l "$fairfs_mount"
fairfs_up grouping=process
check "its return is seen" soon 10 '^weights +not in force: idle'
keys q
check "leaves the terminal as it was" soon 5 '^ended with 0$'
on_panel kill-server

viewer 80 24 "NO_COLOR=1 $stat $fairfs_mount"
check "without colours" soon 10 '^weights +not in force'
check "no colour is sent" colourless
on_panel kill-server
viewer 100 24 "TERM=dumb $stat $fairfs_mount"
check "a dumb terminal gets plain tables" soon 10 'weights not in force: idle'
on_panel kill-server

[ "$failures" = 0 ] || echo "$failures checks failed"
[ "$failures" = 0 ]
