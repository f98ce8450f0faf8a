/** Prints a line with the time since the start of the benchmark. */
export function printProgress(line: string): void {
  process.stdout.write(`${Math.round(performance.now() / 1_000)} s: ${line}\n`)
}
