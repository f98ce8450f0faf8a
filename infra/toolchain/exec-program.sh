#!/bin/sh
# exec-program.sh <source> [option…]: prepares the project and runs a program in place of this shell, so that no process
# waits beside it.
cd "$(dirname "$0")/../.." || exit 1
command=$(node infra/toolchain/bootstrap.mjs --command "$1") || exit 1
shift
# Words of the command contain no spaces: its paths are relative to this folder.
# shellcheck disable=SC2086
exec $command "$@"
