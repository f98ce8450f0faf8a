import { proposeCompletions } from '@stricli/core'
import { app, runCommand } from './app.ts'
import { createProcessContext } from './process-context.ts'

const context = createProcessContext(process)
const [command, ...inputs] = process.argv.slice(2)
if (command === '__complete') {
  // Asked by the scripts of `wp completions`; the last input is the word to complete.
  for (const { completion } of await proposeCompletions(app, inputs, context)) process.stdout.write(`${completion}\n`)
} else process.exitCode = await runCommand(process.argv.slice(2), context)
