import { join } from 'node:path'
import { startLocalFleet } from './fleet.ts'
import { Interrupted, onInterrupt, waitForAbort } from './interrupt.ts'
import { localOptions, readFlags, startFlags, usage } from './options.ts'
import { createProgressPrinter } from './progress.ts'
import { readEmbeddingsPort } from './run-embeddings.ts'
import { formatStartSummary } from './start-summary.ts'
import { UsageError } from './usage-error.ts'

// npm start: runs the platform in one process, with persistent data, until it is interrupted.
// Writing to a closed terminal must not end the process.
process.stdout.on('error', () => {})
const print = createProgressPrinter()
const signal = onInterrupt(print)

try {
  const flags = readFlags(process.argv.slice(2), startFlags)
  if (flags.help === true) process.stdout.write(usage)
  else {
    const options = localOptions(flags, process.env, join(import.meta.dirname, '../../..'))
    const embeddingsPort = readEmbeddingsPort(flags, process.env)
    const fleet = await startLocalFleet(options, { print, signal })
    process.stdout.write(formatStartSummary(fleet, performance.now() / 1000))
    // Imported on demand: a start without it costs nothing.
    const sample =
      flags.sample === true
        ? import('./workplace/start-sample.ts').then(({ startSample }) => startSample(fleet, { print, signal }))
        : Promise.resolve()
    const embeddings =
      embeddingsPort === undefined
        ? Promise.resolve()
        : import('./run-embeddings.ts').then(({ runEmbeddings }) =>
            runEmbeddings(fleet, embeddingsPort, { print, signal }),
          )
    await waitForAbort(signal)
    print('stopping')
    await Promise.all([sample, embeddings])
    await fleet.stop()
    print('stopped; all data is kept')
  }
  process.exit(0)
} catch (error) {
  if (error instanceof Interrupted) process.exit(0)
  process.stderr.write(`start: ${error instanceof Error ? error.message : error}\n`)
  const isVerbose = process.argv.includes('--verbose')
  if (!(error instanceof UsageError))
    process.stderr.write(isVerbose ? `${stackOf(error)}\n` : '  --verbose prints the stack trace\n')
  process.exit(1)
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined
}
