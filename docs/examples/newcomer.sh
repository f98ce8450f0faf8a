#!/usr/bin/env bash
# A first session with the platform: bash docs/examples/newcomer.sh [data folder] [port of the webhook receiver]
# Needs curl and node, and beforehand: npm start; npm run certificate -- localhost. Run it in the folder of the repository.
set -euo pipefail

DATA=${1:-.local} PORT=${2:-9443}
COUNTS=docs/examples/counts.csv # people in two buildings, one row per day and building
RUNS=/v1/solutions/workplace/forecast/runs
TOKEN='' SOURCE_ID='' WEBHOOK_ID='' RECEIVER=''
WORK=$(mktemp -d)

step() { printf '\n== %s\n' "$1"; }
stop() { echo "failed: $1" >&2; exit 1; }
# Prints a member of the JSON on standard input: json .data.status
json() { node -p "JSON.parse(fs.readFileSync(0, 'utf8'))$1"; }
# Sends a request and prints the response, whatever its status: send METHOD PATH [options of curl]
send() { curl -sS -X "$1" "$API$2" -H "authorization: Bearer $TOKEN" "${@:3}"; }
# The same; fails unless the request succeeded.
call() {
  local response
  response=$(send "$@")
  [ "$(json .success <<<"$response")" = true ] || stop "$1 $2: $response"
  echo "$response"
}
as_json=(-H 'content-type: application/json' -d)

clean_up() {
  local result=$?
  trap - EXIT
  step 'Clean up'
  if [ -n "$RECEIVER" ]; then kill "$RECEIVER"; wait "$RECEIVER" 2>/dev/null || true; fi
  if [ -n "$WEBHOOK_ID" ]; then call DELETE "/v1/webhooks/webhooks/$WEBHOOK_ID" | json .data; fi
  if [ -n "$SOURCE_ID" ]; then call DELETE "/v1/data/sources/$SOURCE_ID" | json .data; fi
  rm -r "$WORK"
  exit "$result"
}
trap clean_up EXIT

[ -f "$DATA/credentials.json" ] || stop "$DATA/credentials.json does not exist: run npm start"
[ -f "$DATA/certificates/localhost.pem" ] || stop 'the receiver has no certificate: run npm run certificate -- localhost'
API=$(json .base_url <"$DATA/credentials.json")

step 'Get an access token'
CLIENT=$(json .client_id <"$DATA/credentials.json"):$(json .client_secret <"$DATA/credentials.json")
TOKEN=$(curl -sS -u "$CLIENT" "$API/v1/auth/token" -d grant_type=client_credentials | json .access_token)
call GET /v1/auth/me | json .data.credential.workspace_id

step 'Create a data source'
SOURCE_ID=$(call POST /v1/data/sources "${as_json[@]}" \
  '{"name":"People counts","provider":"upload","config":{"key":"id","title_field":"note"}}' | json .data.data_source_id)
echo "$SOURCE_ID"

upload() { call POST "/v1/data/sources/$SOURCE_ID/records" -H 'content-type: text/csv' --data-binary "@$COUNTS"; }
step "Upload $COUNTS"
upload | json .data.counts

step 'Search for "tuesday" in the south building, with more than 155 people'
call POST /v1/data/search "${as_json[@]}" \
  '{"query":"tuesday","filters":{"building":"south","people":{"gt":155}},"include":["data"]}' >"$WORK/hits"
echo "$(json .meta.total <"$WORK/hits") hits:"
json ".data.map(({ title, data }) => data.day + ' ' + title + ': ' + data.people).sort().join('\n')" <"$WORK/hits"

step 'Subscribe a receiver on this machine to finished forecasts'
call POST /v1/webhooks/webhooks "${as_json[@]}" \
  "{\"endpoint\":\"https://localhost:$PORT/\",\"events\":[\"FORECASTING_FINISHED\"],\"generate_secret\":true}" >"$WORK/webhook"
WEBHOOK_ID=$(json .data.webhook_id <"$WORK/webhook")
WEBHOOK_SECRET=$(json .data.secret <"$WORK/webhook") \
  node docs/examples/receiver.mjs "$PORT" "$DATA/certificates" >"$WORK/received" &
RECEIVER=$!
echo "$WEBHOOK_ID to https://localhost:$PORT/"

# Starts a run with this input, waits for its end, and prints its id. The run is then in the file of that name.
forecast() {
  local id status=queued
  id=$(call POST "$RUNS" "${as_json[@]}" "$1" | json .data.id)
  while [ "$status" = queued ] || [ "$status" = running ]; do
    sleep 0.5
    call GET "$RUNS/$id" >"$WORK/$id"
    status=$(json .data.status <"$WORK/$id")
  done
  [ "$status" = finished ] || stop "forecast run $id $status: $(json .data.error.message <"$WORK/$id")"
  echo "$id"
}
# Prints the days of the only series of a run.
days() { json ".data.series[0].points.map(({ ts, mean }) => ts.slice(0, 10) + ' ' + mean).join('\n')" <"$WORK/$1"; }

step 'Forecast both buildings under the aggregation sum'
COMMON='"frequency":"day","timezone":"UTC","horizon":7'
FROM_SOURCE="\"data_source_id\":\"$SOURCE_ID\",\"timestamp_field\":\"day\",\"aggregation\":\"sum\",$COMMON"
RUN_ID=$(forecast "{$FROM_SOURCE,\"value_field\":\"people\"}")
echo "$RUN_ID"
days "$RUN_ID"

step 'Forecast the sum of both buildings, added by hand'
POINTS=$(awk -F, 'NR > 1 { sum[$2] += $4 }
  END { for (day in sum) { printf "%s{\"ts\":\"%s\",\"value\":%d}", comma, day, sum[day]; comma = "," } }' "$COUNTS")
BY_HAND=$(forecast "{\"series\":[{\"points\":[$POINTS]}],$COMMON}")
[ "$(days "$BY_HAND")" = "$(days "$RUN_ID")" ] || stop "the forecasts differ: $(days "$BY_HAND")"
echo 'both forecasts are equal'

step 'Wait for the webhook, whose signature the receiver verifies'
for _ in {1..120}; do
  if grep -q "^authentic .*$RUN_ID" "$WORK/received"; then break; fi
  sleep 0.5
done
grep "^authentic .*$RUN_ID" "$WORK/received" || stop "no authentic webhook was received: $(<"$WORK/received")"

step 'Upload the same file again'
upload | json .data.counts

step 'Send a wrong input'
send POST "$RUNS" "${as_json[@]}" "{$FROM_SOURCE,\"value_field\":\"peolpe\"}" >"$WORK/refusal"
echo "$(json .status <"$WORK/refusal") $(json .code <"$WORK/refusal"): $(json .detail <"$WORK/refusal")"
