#!/bin/sh
# exec-program.sh <source> [option…]: prepares the project and runs a program in place of this shell, so that no process
# waits beside it.
cd "$(dirname "$0")/../.." || exit 1
# Help needs no installation: its text is that of the options of the program.
for option in "$@"; do
  if [ "$option" = --help ]; then
    exec sed -n '/^export const usage = `/,/^`$/{s/^export const usage = `//;/^`$/!p;}' "$(dirname "$1")/options.ts"
  fi
done
command=$(node infra/toolchain/bootstrap.mjs --command "$1") || exit 1
shift
# Words of the command contain no spaces: its paths are relative to this folder.
# shellcheck disable=SC2086
exec $command "$@"
