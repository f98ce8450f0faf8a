import { createInterface } from 'node:readline'
import type { Context } from '../context.ts'
import { CancelledError } from '../errors.ts'

/** Asks questions on standard error and reads the answers from standard input, a line each. */
export interface Prompt {
  /** @throws CancelledError at the end of the input */
  ask(question: string): Promise<string>
  close(): void
}

export function createPrompt({ stdin, process: { stderr } }: Pick<Context, 'stdin' | 'process'>): Prompt {
  // Without `terminal`, the terminal itself edits the line and turns Ctrl-C into SIGINT.
  const lines = createInterface({ input: stdin, terminal: false })
  const iterator = lines[Symbol.asyncIterator]()
  return {
    async ask(question) {
      stderr.write(question)
      const { value, done } = await iterator.next()
      if (done === true) throw new CancelledError()
      return value.trim()
    },
    close: () => lines.close(),
  }
}
