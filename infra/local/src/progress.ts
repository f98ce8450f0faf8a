/** Creates a function that prints a line, prefixed with the seconds since the start of the process. */
export function createProgressPrinter(
  write: (text: string) => void = (text) => process.stdout.write(text),
): (line: string) => void {
  return (line) => write(`${(performance.now() / 1000).toFixed(1).padStart(5)} s  ${line}\n`)
}
