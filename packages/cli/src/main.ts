import { run } from '@stricli/core'
import { app } from './app.ts'
import { createProcessContext } from './process-context.ts'

await run(app, process.argv.slice(2), createProcessContext(process))
// The library reports errors of the command line itself with negative codes.
if (Number(process.exitCode ?? 0) < 0) process.exitCode = 1
