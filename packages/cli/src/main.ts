import { proposeCompletions } from '@stricli/core'
import { app, runCommand } from './app.ts'
import type { Context } from './context.ts'
import { CancelledError, exitCodes } from './errors.ts'

const context = createProcessContext(process)
const [command, ...inputs] = process.argv.slice(2)
if (command === '__complete') {
  // Asked by the scripts of `wp completions`; the last input is the word to complete.
  for (const { completion } of await proposeCompletions(app, inputs, context)) process.stdout.write(`${completion}\n`)
} else process.exitCode = await runCommand(process.argv.slice(2), context)

/**
 * Creates the context of commands from the process. A signal ends the process, unless a command takes the interrupts.
 */
function createProcessContext(process: NodeJS.Process): Context {
  let taken: AbortController | undefined
  const interrupt = () => {
    if (taken === undefined || taken.signal.aborted) {
      if (process.stderr.isTTY) process.stderr.write('\n') // after a question or a progress line
      process.exit(exitCodes.cancelled)
    }
    taken.abort(new CancelledError())
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  // `wp … | head` closes the pipe before everything was written.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok)
    process.stderr.write(`wp: standard output cannot be written: ${error.message}\n`)
    process.exit(exitCodes.failed)
  })
  return {
    process: process as Context['process'], // it differs in that `exitCode` may be undefined
    stdin: process.stdin,
    env: process.env,
    now: Date.now,
    takeInterrupts() {
      taken ??= new AbortController()
      return taken.signal
    },
  }
}
