/**
 * Runs a command with the arguments of the process, whose exit code is its result. An error is printed, with the usage,
 * and the exit code is 1.
 */
export async function runCommand(run: (args: string[]) => Promise<number>, usage = ''): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exitCode = 1
  }
}

/** Prints a line of the result of a command. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
