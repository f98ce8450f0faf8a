"""A first session with the platform: python3 docs/examples/newcomer.py [data folder] [port of the webhook receiver]

Needs the standard library only, and beforehand: npm start; npm run certificate -- localhost. Run it in the folder of the
repository.
"""
import base64
import contextlib
import csv
import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

DATA, PORT = (sys.argv[1:] + [".local", "9443"][len(sys.argv) - 1 :])[:2]
COUNTS = "docs/examples/counts.csv"  # people in two buildings, one row per day and building
RUNS = "/v1/solutions/workplace/forecast/runs"
RECEIVER_TIMEOUT_SECONDS = 60

with open(f"{DATA}/credentials.json", encoding="utf-8") as file:
    credentials = json.load(file)
headers = {}


def step(title):
    print(f"\n== {title}", flush=True)


def send(method, path, body=None, content_type="application/json"):
    """Sends a request. Returns the status and the parsed response, whatever the status is."""
    content = json.dumps(body).encode() if content_type == "application/json" and body is not None else body
    typed = {} if body is None else {"content-type": content_type}
    url = credentials["base_url"] + path
    request = urllib.request.Request(url, content, {**headers, **typed}, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def call(method, path, body=None, content_type="application/json"):
    """Sends a request that must succeed."""
    status, response = send(method, path, body, content_type)
    if status >= 400:
        sys.exit(f"failed: {method} {path}: {status} {response}")
    return response


def upload(source_id):
    with open(COUNTS, "rb") as file:
        return call("POST", f"/v1/data/sources/{source_id}/records", file.read(), "text/csv")["data"]["counts"]


def forecast(body):
    """Starts a run and waits for its end. Returns its id, and the mean of each day of its only series."""
    run = call("POST", RUNS, {"frequency": "day", "timezone": "UTC", "horizon": 7, **body})["data"]
    while run["status"] in ("queued", "running"):
        time.sleep(0.5)
        run = call("GET", f"{RUNS}/{run['id']}")["data"]
    if run["status"] != "finished":
        sys.exit(f"failed: forecast run {run['id']} {run['status']}: {run['error']}")
    return run["id"], [(point["ts"][:10], point["mean"]) for point in run["series"][0]["points"]]


def add_by_hand():
    """Returns the people of both buildings by day."""
    sums = {}
    with open(COUNTS, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sums[row["day"]] = sums.get(row["day"], 0) + int(row["people"])
    return sums


@contextlib.contextmanager
def receiver(secret):
    """Runs receiver.py, which prints a line for each webhook."""
    command = [sys.executable, "docs/examples/receiver.py", PORT, f"{DATA}/certificates"]
    environment = {**os.environ, "WEBHOOK_SECRET": secret}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    timer = threading.Timer(RECEIVER_TIMEOUT_SECONDS, process.kill)
    timer.start()
    try:
        yield process.stdout
    finally:
        timer.cancel()
        process.kill()
        process.wait()


with contextlib.ExitStack() as clean_up:
    step("Get an access token")
    client = f"{credentials['client_id']}:{credentials['client_secret']}".encode()
    headers["authorization"] = f"Basic {base64.b64encode(client).decode()}"
    form = "application/x-www-form-urlencoded"
    token = call("POST", "/v1/auth/token", b"grant_type=client_credentials", form)["access_token"]
    headers["authorization"] = f"Bearer {token}"
    print(call("GET", "/v1/auth/me")["data"]["credential"]["workspace_id"])

    step("Create a data source")
    config = {"key": "id", "title_field": "note"}
    source = {"name": "People counts", "provider": "upload", "config": config}
    source_id = call("POST", "/v1/data/sources", source)["data"]["data_source_id"]
    clean_up.callback(lambda: print(call("DELETE", f"/v1/data/sources/{source_id}")["data"]))
    print(source_id)

    step(f"Upload {COUNTS}")
    print(upload(source_id))

    step('Search for "tuesday" in the south building, with more than 155 people')
    filters = {"building": "south", "people": {"gt": 155}}
    found = call("POST", "/v1/data/search", {"query": "tuesday", "filters": filters, "include": ["data"]})
    print(f"{found['meta']['total']} hits:")
    for line in sorted(f"{hit['data']['day']} {hit['title']}: {hit['data']['people']}" for hit in found["data"]):
        print(line)

    step("Subscribe a receiver on this machine to finished forecasts")
    endpoint = f"https://localhost:{PORT}/"
    subscription = {"endpoint": endpoint, "events": ["FORECASTING_FINISHED"], "generate_secret": True}
    webhook = call("POST", "/v1/webhooks/webhooks", subscription)["data"]
    clean_up.callback(lambda: print(call("DELETE", f"/v1/webhooks/webhooks/{webhook['webhook_id']}")["data"]))
    received = clean_up.enter_context(receiver(webhook["secret"]))
    print(f"{webhook['webhook_id']} to {endpoint}")

    step("Forecast both buildings under the aggregation sum")
    from_source = {"data_source_id": source_id, "timestamp_field": "day", "aggregation": "sum"}
    run_id, days = forecast({**from_source, "value_field": "people"})
    print(run_id)
    for day, mean in days:
        print(day, mean)

    step("Forecast the sum of both buildings, added by hand")
    points = [{"ts": day, "value": people} for day, people in add_by_hand().items()]
    _, by_hand = forecast({"series": [{"points": points}]})
    if by_hand != days:
        sys.exit(f"failed: the forecasts differ: {by_hand}")
    print("both forecasts are equal")

    step("Wait for the webhook, whose signature the receiver verifies")
    line = next((line for line in received if line.startswith("authentic ") and run_id in line), None)
    if line is None:
        sys.exit("failed: no authentic webhook was received")
    print(line.strip())

    step("Upload the same file again")
    print(upload(source_id))

    step("Send a wrong input")
    status, refusal = send("POST", RUNS, {
        **from_source, "value_field": "peolpe", "frequency": "day", "timezone": "UTC", "horizon": 7
    })
    print(f"{status} {refusal['code']}: {refusal['detail']}")
    # Callbacks run in reverse order.
    clean_up.callback(step, "Clean up")
