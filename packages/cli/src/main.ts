import { proposeCompletions, run } from '@stricli/core'
import { app } from './app.ts'
import { createProcessContext } from './process-context.ts'

const context = createProcessContext(process)
const [command, ...inputs] = process.argv.slice(2)
if (command === '__complete') {
  // Asked by the scripts of `wp completions`; the last input is the word to complete.
  for (const { completion } of await proposeCompletions(app, inputs, context)) process.stdout.write(`${completion}\n`)
} else {
  await run(app, process.argv.slice(2), context)
  // The library reports errors of the command line itself with negative codes.
  if (Number(process.exitCode ?? 0) < 0) process.exitCode = 1
}
