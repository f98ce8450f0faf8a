import { ExitCode, proposeCompletions, run } from '@stricli/core'
import { app } from './app.ts'
import { exitCodes } from './errors.ts'
import { createProcessContext } from './process-context.ts'

const context = createProcessContext(process)
const [command, ...inputs] = process.argv.slice(2)
if (command === '__complete') {
  // Asked by the scripts of `wp completions`; the last input is the word to complete.
  for (const { completion } of await proposeCompletions(app, inputs, context)) process.stdout.write(`${completion}\n`)
} else {
  await run(app, command === 'help' ? [...inputs, '--help'] : process.argv.slice(2), context)
  process.exitCode = exitCodeOfRun(Number(process.exitCode ?? exitCodes.ok))
}

/** Returns the exit code for that of the library, which reports errors of the command line with negative ones. */
function exitCodeOfRun(code: number): number {
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return exitCodes.usage
  return code < 0 ? exitCodes.failed : code
}
