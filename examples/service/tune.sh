#!/bin/sh
# Splits a budget over three channels by a service: tune.sh [URL]
# What a split costs is made up here; yours is what you measure.
set -eu
studies=${1:-http://127.0.0.1:8600}/v1/studies
curl -sSf -d '{"name": "split", "set": "simplex(3)"}' "$studies" >/dev/null
step=$(curl -sSf -d '{"worker": "w1"}' "$studies/split/asks")
for _ in 1 2 3 4 5; do
  play=$(echo "$step" | sed 's/.*"play":\([0-9]*\).*/\1/')
  loss=$(echo "$step" | sed 's/.*"point":\[\([^]]*\)\].*/\1/' |
    awk -F, '{print 0.2 * $1 + 0.9 * $2 + 0.6 * $3}')
  step=$(curl -sSf -d "{\"tells\": [{\"play\": $play, \"loss\": $loss}], \"worker\": \"w1\"}" \
    "$studies/split/steps")
done
curl -sSf "$studies/split/recommendation"
