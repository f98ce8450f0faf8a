import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Context } from './context.ts'
import { CancelledError, UsageError } from './errors.ts'

type InputContext = Pick<Context, 'stdin' | 'process'>

/**
 * Reads a secret: the first line of standard input. On a terminal it asks for it and does not show what is typed.
 * Arguments of a command are no place for secrets, as other users of the machine and the history of the shell have
 * them.
 * @param name what is asked for, such as "Password"
 * @throws UsageError if the line is empty or there is none
 * @throws CancelledError after Ctrl-C or the end of the input on a terminal
 */
export async function readSecret({ stdin, process: { stderr } }: InputContext, name: string): Promise<string> {
  const isTerminal = stdin.isTTY === true
  if (isTerminal) stderr.write(`${name}: `)
  const line = await readLine(stdin, isTerminal)
  if (isTerminal) stderr.write('\n')
  if (line === undefined && isTerminal) throw new CancelledError()
  if (line === undefined || line === '')
    throw new UsageError(`${name} is empty: write it to standard input, or type it on a terminal`)
  return line
}

/** Reads one line, without its end. @returns undefined if the input ends before */
function readLine(stdin: InputContext['stdin'], isTerminal: boolean): Promise<string | undefined> {
  // With `terminal`, readline itself echoes what is typed, to an output that shows nothing.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output, terminal: isTerminal })
  return new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => resolve(undefined))
  }).finally(() => lines.close())
}
