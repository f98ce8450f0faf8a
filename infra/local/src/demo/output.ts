/** The output of the demo, and what the terminal can display. */
export interface DemoOutput {
  /** Prints one line of progress with the elapsed time. */
  printProgress(line: string): void
  /** Prints the lines of a result, indented. */
  printResult(lines: readonly string[]): void
  width: number
  hasUnicode: boolean
  hasColor: boolean
}

/** Creates the output: with colors and the full width on a terminal, as plain text in a file or a pipe. */
export function createDemoOutput(
  terminal: { isTTY?: boolean; columns?: number; write(text: string): unknown },
  printProgress: (line: string) => void,
  env: { NO_COLOR?: string },
): DemoOutput {
  const isTerminal = terminal.isTTY === true
  return {
    printProgress,
    printResult: (lines) => terminal.write(`${lines.map((line) => `         ${line}`.trimEnd()).join('\n')}\n`),
    width: Math.min(160, isTerminal ? (terminal.columns ?? 100) : 110) - 10,
    hasUnicode: isTerminal,
    hasColor: isTerminal && !env.NO_COLOR,
  }
}
