"""Authenticates the requests of Schemathesis and counts the responses and the results of the checks."""

import atexit
import collections
import json
import os
import threading
import urllib.request

import schemathesis

statuses = collections.Counter()
operations = set()
findings = {}
lock = threading.Lock()

# Failures that say what the platform does on purpose, by title and a part of the message.
expected = [
    # Further requests of a network that sends many invalid credentials are refused.
    ("Unexpected response to invalid authentication", "got `429"),
    # A request that is too large is refused before its method is known.
    ("Wrong response to undeclared method", "returned 431"),
    # The page of this path, for browsers, is not part of the document.
    ("Allow header mismatch", "`Allow: GET, POST, HEAD`"),
]


@schemathesis.auth(refresh_interval=3)
class Bearer:
    """Asks for the token again and again, because requests of the run may revoke it."""

    def get(self, case, context):
        with urllib.request.urlopen(os.environ["TOKEN_URL"]) as response:
            return response.read().decode()

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        statuses[response.status_code] += 1
        operations.add(operation_id(case))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if any(failure.title == title and text in failure.message for title, text in expected):
        return False
    with lock:
        found = findings.setdefault(failure.title, {}).setdefault(f"{operation_id(case)} {response.status_code}", [])
        found.append(
            {
                "failure": str(failure)[:600],
                "request": f"{response.request.method} {response.request.url}"[:600],
                "body": str(response.request.body)[:300],
                "response": response.text[:600],
            }
        )
    return True


def operation_id(case):
    return case.operation.definition.raw["operationId"]


@atexit.register
def write_counts():
    with lock, open(os.environ["COUNTS_FILE"], "w", encoding="utf-8") as file:
        json.dump({"statuses": statuses, "operations": sorted(operations), "findings": findings}, file)
