/** Prints lines that begin with the seconds since the process began. */
export function createProgressPrinter(
  write: (text: string) => void = (text) => process.stdout.write(text),
): (line: string) => void {
  return (line) => write(`${(performance.now() / 1000).toFixed(1).padStart(5)} s  ${line}\n`)
}
