import { join } from 'node:path'
import { startLocalFleet } from './fleet.ts'
import { Interrupted, onInterrupt, waitForAbort } from './interrupt.ts'
import { localFlags, localOptions, readFlags, usage } from './options.ts'
import { createProgressPrinter } from './progress.ts'
import { formatStartSummary } from './start-summary.ts'
import { UsageError } from './usage-error.ts'

// npm start: everything in one process, with data that stays, until somebody stops it.
// A terminal that goes away takes no more lines, which is no reason to fall over.
process.stdout.on('error', () => {})
const say = createProgressPrinter()
const signal = onInterrupt(say)

try {
  const flags = readFlags(process.argv.slice(2), localFlags)
  if (flags.help === true) process.stdout.write(usage)
  else {
    const options = localOptions(flags, process.env, join(import.meta.dirname, '../../..'))
    const fleet = await startLocalFleet(options, { print: say, signal })
    process.stdout.write(formatStartSummary(fleet, performance.now() / 1000))
    await waitForAbort(signal)
    say('stopping')
    await fleet.stop()
    say('stopped; everything is kept')
  }
  process.exit(0)
} catch (error) {
  if (error instanceof Interrupted) process.exit(0)
  process.stderr.write(`start: ${error instanceof Error ? error.message : error}\n`)
  // What its caller can put right is said in a line; of the rest somebody may want to know where it came from.
  const isVerbose = process.argv.includes('--verbose')
  if (!(error instanceof UsageError))
    process.stderr.write(isVerbose ? `${stackOf(error)}\n` : '  --verbose says where\n')
  process.exit(1)
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined
}
