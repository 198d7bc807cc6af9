#!/bin/sh
# Tunes a command by a service: loop.sh ROUNDS COMMAND. The command finds the values in its
# environment, as KEYHOLE_block and KEYHOLE_level, and prints what they cost. URL is where the service
# is.
set -eu
rounds=$1
shift
study=${URL:-http://127.0.0.1:8600}/v1/studies/blocks
curl -sSf -d '{"name": "blocks", "space": {"parameters": [
  {"name": "block", "type": "number", "from": 4, "to": 128, "scale": "log"},
  {"name": "level", "type": "integer", "from": 1, "to": 9}]}}' "${study%/*}" >/dev/null
value() { # NAME: its value in the latest answer
  echo "$step" | sed "s/.*\"$1\":\([0-9.e+-]*\).*/\1/"
}
step=$(curl -sSf -d '{"worker": "loop"}' "$study/asks")
while [ "$rounds" -gt 0 ]; do
  loss=$(KEYHOLE_block=$(value block) KEYHOLE_level=$(value level) "$@")
  step=$(curl -sSf -d "{\"tells\": [{\"play\": $(value play), \"loss\": $loss}], \"worker\": \"loop\"}" \
    "$study/steps")
  rounds=$((rounds - 1))
done
curl -sSf "$study/recommendation"
