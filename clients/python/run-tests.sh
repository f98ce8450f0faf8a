#!/bin/sh
# Generates, checks and tests the Python client in an environment of its own, from the wheel that is published. Says so and
# does nothing without Python 3.11 or PyPI. The last line is the totals of the tests.
set -eu
cd "$(dirname "$0")"
environment=../../node_modules/.cache/python

install() {
  if ! python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo 'the Python client is not tested: there is no Python 3.11 with venv'
    exit 0
  fi
  python3 -m generator
  [ -x "$environment/bin/python" ] || python3 -m venv "$environment"
  if ! "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps . ||
    ! "$environment/bin/python" -m pip install --quiet --disable-pip-version-check '.[test,receivers]'; then
    if "$environment/bin/python" -m pip download --quiet --no-deps --dest "$environment/downloads" httpx; then exit 1; fi
    rm -rf "$environment"
    echo 'the Python client is not tested: PyPI cannot be reached'
    exit 0
  fi
}
if [ "${1-}" != test ]; then install; fi
if [ "${1-}" = install ] || [ ! -x "$environment/bin/mypy" ]; then exit 0; fi
"$environment/bin/mypy"
status=0
report=$("$environment/bin/pytest" -p no:cacheprovider) || status=$?
echo "$report"
echo "$report" | awk '/ in [0-9.]+s/ { last = $0 } END {
  passed = failed = 0
  for (n = split(last, word, " "); n > 1; n--) {
    if (word[n] ~ /^passed/) passed = word[n - 1]
    if (word[n] ~ /^(failed|error)/) failed += word[n - 1]
  }
  printf "%d passed, %d failed\n", passed, failed
}'
exit "$status"
