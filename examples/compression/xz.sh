#!/bin/sh
# What it costs to send the file `log` to a small device as xz packs it: the share of the bytes that
# is sent, and 0.1 for each MB of the dictionary, which the device must keep.
set -eu
dict=${KEYHOLE_dict:?is set by \'keyhole study drive\'}
lc=${KEYHOLE_lc:?is set by \'keyhole study drive\'}
lp=${KEYHOLE_lp:?is set by \'keyhole study drive\'}
sent=$(xz --stdout --format=raw --lzma2="preset=1,dict=${dict}KiB,lc=$lc,lp=$lp,pb=0" log | wc -c)
awk -v sent="$sent" -v all="$(wc -c <log)" -v dict="$dict" '
  BEGIN { print sent / all + .1 * dict / 1024 }'
