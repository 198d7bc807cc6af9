#!/bin/sh
# What it costs to send the file `log` to a small device as zstd packs it: the share of the bytes
# that is sent, and 0.05 for each MB of memory. Values are exponents of 2: the window of bytes in
# which repetitions are found, and the places of two tables of 4 bytes each.
set -eu
window=${KEYHOLE_window:?is set by \'keyhole study drive\'}
chain=${KEYHOLE_chain:?is set by \'keyhole study drive\'}
hash=${KEYHOLE_hash:?is set by \'keyhole study drive\'}
sent=$(zstd --quiet --stdout --zstd="strategy=6,searchLog=4,windowLog=$window,chainLog=$chain,hashLog=$hash" log | wc -c)
awk -v sent="$sent" -v all="$(wc -c <log)" -v window="$window" -v chain="$chain" -v hash="$hash" '
  BEGIN { print sent / all + .05 * (2 ^ window + 4 * 2 ^ chain + 4 * 2 ^ hash) / 2 ^ 20 }'
