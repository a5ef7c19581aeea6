#!/bin/sh
# What samples/packages.sh says is missing where no command is: names that it would install, each of its group: names.sh
set -eu
cd "$(dirname "$0")/../.."
. samples/packages.sh
groups=$(sed -n 's/^    \([a-z0-9]*\)) echo .*/\1/p' samples/packages.sh)
PATH=/nowhere
count=0
for group in $groups; do
  names=" $(packages_of "$group" 2>/dev/null) "
  for missing in $(missing_of "$group" 2>/dev/null); do
    case $names in
      *" $missing "*) count=$((count + 1)) ;;
      *) echo "$group: '$missing' is not one of$names" >&2; exit 1 ;;
    esac
  done
done
[ "$count" -gt 50 ] || { echo "only $count packages are missing" >&2; exit 1; }
echo "$count names of packages hold"
