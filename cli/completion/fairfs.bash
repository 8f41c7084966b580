# Completion of fairfs and fairfs-stat for bash: installed under both names. Needs nothing but bash itself.
# tests/cli/completion_test.cc holds what it offers against what the programs take.

# The word under the cursor as a whole: bash's own ends at each = and :.
_fairfs_word() {
  cur=${COMP_LINE:0:COMP_POINT}
  local before=${cur%"${cur##*[[:space:]]}"}
  cur=${cur##*[[:space:]]}
  read -ra before <<< "$before"
  words=("${before[@]}")
  prev=
  [ ${#before[@]} -eq 0 ] || prev=${before[-1]}
}

# _fairfs_offer PREFIX WORDS...: those that begin with $part, behind PREFIX, of which bash replaces what follows the last
# = or :. A word that ends in = or : waits for more.
_fairfs_offer() {
  local prefix=$1 word
  shift
  for word; do
    [[ $word == "$part"* ]] || continue
    [[ $word != *[=:] ]] || compopt -o nospace 2> /dev/null
    word=$prefix$word
    [[ $COMP_WORDBREAKS != *=* || $cur != *[=:]* ]] || word=${word#"${cur%"${cur##*[=:]}"}"}
    COMPREPLY+=("$word")
  done
}

_fairfs_paths() { # _fairfs_paths -f|-d PREFIX
  local found
  mapfile -t found < <(compgen "$1" -- "$part")
  compopt -o filenames 2> /dev/null
  _fairfs_offer "$2" "${found[@]}"
}

_fairfs_mount_option() {
  local before=${cur%"${cur##*,}"} part=${cur##*,} groups
  local name=${part%%=*}
  if [[ $part != *=* ]]; then
    _fairfs_offer "$before" weights= grouping= sched= depth= probe= idle= write_behind= max_wait= entry_timeout= \
      attr_timeout= log_level= log_file= metrics= stat_access= fsname= ro rw suid nosuid dev nodev exec noexec atime \
      noatime relatime nodiratime sync dirsync defaults nofail _netdev auto noauto user nouser users owner group \
      allow_other default_permissions
    return
  fi
  before=$before$name= part=${part#*=}
  case $name in
    grouping) _fairfs_offer "$before" cgroup process uid ;;
    sched) _fairfs_offer "$before" fair off ;;
    probe)
      _fairfs_offer "$before" auto run off
      _fairfs_paths -f "$before"
      ;;
    idle) _fairfs_offer "$before" auto on off ;;
    write_behind) _fairfs_offer "$before" on off ;;
    log_level) _fairfs_offer "$before" trace debug info warning error ;;
    metrics) _fairfs_offer "$before" unix: 127.0.0.1: '[::1]:' ;;
    stat_access)
      mapfile -t groups < <(compgen -P group: -g)
      [[ $part == group:* ]] || groups=(group:)
      _fairfs_offer "$before" owner all "${groups[@]}"
      ;;
    weights | log_file) _fairfs_paths -f "$before" ;;
  esac
}

_fairfs() {
  local cur prev words part
  COMPREPLY=()
  _fairfs_word
  part=$cur
  case $prev in
    -o | --options) _fairfs_mount_option ;;
    --check-config) _fairfs_paths -f '' ;;
    *)
      if [[ $cur == -* ]]; then
        _fairfs_offer '' -o --options -f --foreground -d --debug --check-config --probe-only --json -h --help -V --version
      else
        _fairfs_paths -d ''
      fi
      ;;
  esac
}

_fairfs_mountpoints() {
  local type mountpoint rest found=()
  while read -r _ mountpoint type rest; do
    [[ $type != fuse.fairfs ]] || found+=("$(printf %b "$mountpoint")")
  done < /proc/self/mounts
  compopt -o filenames 2> /dev/null
  _fairfs_offer '' "${found[@]}"
}

_fairfs_rule() { # _fairfs_rule KEYS...: the part behind the last comma, or a value that can be known
  local before=${cur%"${cur##*,}"} part=${cur##*,} found
  if [[ $part != *=* ]]; then
    _fairfs_offer "$before" "$@"
    return
  fi
  before=$before${part%%=*}=
  case ${part%%=*} in
    user) mapfile -t found < <(compgen -u) ;;
    group | gid) mapfile -t found < <(compgen -g) ;;
    class) found=(rt be idle) ;;
    op) found=(read write sync) ;;
    why) found=(alone share deadline unscheduled) ;;
    *) return ;;
  esac
  part=${part#*=}
  _fairfs_offer "$before" "${found[@]}"
}

_fairfs_stat() {
  local cur prev words part pids
  local whom=(cgroup= command= exe= user= group= gid= pid= flow=)
  COMPREPLY=()
  _fairfs_word
  part=$cur
  case $prev in
    --interval | --count) return ;;
    --record | --replay) _fairfs_paths -f ''; return ;;
    --set) _fairfs_rule "${whom[@]}"; return ;;
    --unset) _fairfs_rule all "${whom[@]}"; return ;;
    --explain)
      pids=(/proc/[0-9]*)
      _fairfs_offer '' "${pids[@]#/proc/}"
      return
      ;;
  esac
  if [[ $cur == -* ]]; then
    _fairfs_offer '' --once --json --csv --openmetrics --interval --count --record --replay --explain --trace --set \
      --unset --overrides --reload -h --help -V --version
  elif [[ " ${words[*]} " == *' --set '* ]]; then
    _fairfs_rule weight= flow= class= min_read= min_write= max_read= max_write= min_iops= max_iops= latency=
  elif [[ " ${words[*]} " == *' --trace '* ]]; then
    _fairfs_rule flow= command= pid= inode= op= why= longer=
  else
    _fairfs_mountpoints
  fi
}

complete -F _fairfs fairfs
complete -F _fairfs_stat fairfs-stat
