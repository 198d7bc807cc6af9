#!/bin/sh
# Tries all levels of zstd.toml or xz.toml (a dictionary of xz is a power of two) on the file `log`,
# and prints the three best with their costs: levels.sh zstd|xz. Up to a minute.
set -eu
here=$(dirname "$0")
case $1 in
  zstd)
    for window in $(seq 10 20); do for chain in $(seq 6 "$window"); do for hash in $(seq 6 20); do
      echo "$window $chain $hash $(KEYHOLE_window=$window KEYHOLE_chain=$chain KEYHOLE_hash=$hash \
        "$here/zstd.sh")"
    done; done; done ;;
  xz)
    for power in $(seq 2 10); do for lc in $(seq 0 4); do for lp in $(seq 0 $((4 - lc))); do
      dict=$((1 << power))
      echo "$dict $lc $lp $(KEYHOLE_dict=$dict KEYHOLE_lc=$lc KEYHOLE_lp=$lp "$here/xz.sh")"
    done; done; done ;;
esac | awk '{ print $NF, $0 }' | sort -g | head -n 3 | cut -d ' ' -f 2-
