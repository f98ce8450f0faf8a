import { join } from 'node:path'
import { startLocalFleet } from './fleet.ts'
import { Interrupted, interrupted, onInterrupt } from './interrupt.ts'
import { localFlags, localOptions, readFlags, usage } from './options.ts'
import { report } from './report.ts'
import { createSay } from './say.ts'
import { UsageError } from './usage-error.ts'

// npm start: everything in one process, with data that stays, until somebody stops it.
// A terminal that goes away takes no more lines, which is no reason to fall over.
process.stdout.on('error', () => {})
const say = createSay()
const signal = onInterrupt(say)

try {
  const flags = readFlags(process.argv.slice(2), localFlags)
  if (flags.help === true) process.stdout.write(usage)
  else {
    const options = localOptions(flags, process.env, join(import.meta.dirname, '../../..'))
    const fleet = await startLocalFleet(options, { say, signal })
    process.stdout.write(report(fleet, performance.now() / 1000))
    await interrupted(signal)
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
