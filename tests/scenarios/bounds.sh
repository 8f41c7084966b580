# Shell function for scenarios that hold numbers against bounds. To be sourced; `failures` counts those that are off.
# shellcheck shell=sh disable=SC2034

failures=0

# check WHAT LEAST NUMBER MOST
check() {
  if awk -v least="$2" -v number="$3" -v most="$4" 'BEGIN { exit !(least <= number && number <= most) }'; then
    echo "ok    $1: $3"
  else
    echo "OFF   $1: $3, wanted $2 to $4"
    failures=$((failures + 1))
  fi
}
