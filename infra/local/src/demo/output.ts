/** Where the demo speaks, and how fine it may draw. */
export interface DemoOutput {
  /** One line of progress, with its time. */
  printProgress(line: string): void
  /** Lines of a result. */
  printResult(lines: readonly string[]): void
  width: number
  hasUnicode: boolean
  hasColor: boolean
}

interface Terminal {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/** A terminal gets colours and as much width as it has; a file or a pipe plain text. */
export function createDemoOutput(
  terminal: Terminal,
  say: (line: string) => void,
  env: { NO_COLOR?: string },
): DemoOutput {
  const isTerminal = terminal.isTTY === true
  return {
    printProgress: say,
    printResult: (lines) => terminal.write(`${lines.map((line) => `         ${line}`.trimEnd()).join('\n')}\n`),
    width: Math.min(160, isTerminal ? (terminal.columns ?? 100) : 110) - 10,
    hasUnicode: isTerminal,
    hasColor: isTerminal && !env.NO_COLOR,
  }
}
