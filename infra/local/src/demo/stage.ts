/** Where the demo speaks, and how fine it may draw. */
export interface Stage {
  /** One line of progress, with its time. */
  say(line: string): void
  /** Lines of a result. */
  show(lines: readonly string[]): void
  width: number
  unicode: boolean
  colour: boolean
}

interface Terminal {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/** A terminal gets colours and as much width as it has; a file or a pipe plain text. */
export function createStage(terminal: Terminal, say: (line: string) => void, env: { NO_COLOR?: string }): Stage {
  const isTerminal = terminal.isTTY === true
  return {
    say,
    show: (lines) => terminal.write(`${lines.map((line) => `         ${line}`.trimEnd()).join('\n')}\n`),
    width: Math.min(160, isTerminal ? (terminal.columns ?? 100) : 110) - 10,
    unicode: isTerminal,
    colour: isTerminal && !env.NO_COLOR,
  }
}
