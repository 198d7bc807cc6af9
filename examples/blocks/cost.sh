#!/bin/sh
# What it costs to keep log lines in blocks, each compressed by itself: the loss of a play.
#
# Small blocks compress badly. Of large ones much is read to find a line. A higher level of gzip
# compresses better and takes longer, at a price of 0.01 a level.
set -eu
block=${KEYHOLE_block:?is set by \'keyhole study drive\'}
level=${KEYHOLE_level:?is set by \'keyhole study drive\'}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log
seq 4000 | awk '{ printf "%d host%d GET /page/%d %d\n",
                  $1, $1 * 7 % 13, $1 * $1 % 997, $1 * 31 % 503 }' >"$log"
bytes=$(awk "BEGIN { printf \"%d\", 1024 * $block }")
split --bytes="$bytes" --filter="gzip -n -$level | wc -c" "$log" |
  awk -v all="$(wc -c <"$log")" -v block="$block" -v level="$level" '
    { stored += $1 }
    END { print stored / all + block / 250 + level / 100 }'
