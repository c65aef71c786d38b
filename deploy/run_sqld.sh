#!/usr/bin/env bash
# Starts sqld with the given options, and ends with 1 when no write gets an answer for SQLD_STALL_S seconds. The
# supervisor (systemd, compose) starts it again. The checkpoint interval prevents the standstill of sqld 0.24.32 that
# docs/proofs/engine_report.md describes; the watch is for every other one.
#   SQLD_BINARY       the program; default sqld
#   SQLD_STALL_S      default 60
#   SQLD_PROBE_TOKEN  a token that may write, when the server asks for one
set -uo pipefail
export SQLD_CHECKPOINT_INTERVAL_S="${SQLD_CHECKPOINT_INTERVAL_S:-60}"
export SQLD_HTTP_LISTEN_ADDR="${SQLD_HTTP_LISTEN_ADDR:-127.0.0.1:8080}"
stall_s="${SQLD_STALL_S:-60}"
authorization=''
[[ -z ${SQLD_PROBE_TOKEN:-} ]] || authorization="Authorization: Bearer $SQLD_PROBE_TOKEN"$'\r\n'
unset SQLD_PROBE_TOKEN

"${SQLD_BINARY:-sqld}" "$@" &
server=$!
is_stopping=''
trap 'is_stopping=1; kill -TERM "$server" 2>/dev/null' TERM INT

# Takes the write lock and gives it back, so it changes nothing. Prints the first line of the answer.
probe() {
  local execute='{"type":"execute","stmt":{"sql":"%s"}}' body line
  printf -v body "{\"requests\":[$execute,$execute,{\"type\":\"close\"}]}" 'BEGIN IMMEDIATE' ROLLBACK
  {
    printf 'POST /v2/pipeline HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s' \
      "$authorization" "${#body}" "$body" >&3
    read -r -t "$stall_s" line <&3 && printf '%s' "${line%$'\r'}"
  } 3<>"/dev/tcp/127.0.0.1/${SQLD_HTTP_LISTEN_ADDR##*:}"
}

# A start may take long, so the time counts from the first answer.
answered_s=''
while sleep 5 & wait $! && [[ -z $is_stopping ]] && kill -0 "$server" 2>/dev/null; do
  if status=$(probe 2>/dev/null); then
    answered_s=$SECONDS
    [[ $status == *' 200 '* ]] || echo "run_sqld: the probe of a write got \"$status\"" >&2
  elif [[ -z $is_stopping && -n $answered_s ]] && ((SECONDS - answered_s >= stall_s)); then
    kill -KILL "$server" 2>/dev/null && echo "run_sqld: no answer to a write for $stall_s s; sqld was killed" >&2
    wait "$server"
    exit 1
  fi
done
wait "$server"
