// `npm run test:soak -- [path…]` runs the tests several times beside processes that keep the CPU busy, and reports
// how often each test fails. Exits with 1 if any run fails.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBusyProcesses } from './soak/busy-processes.ts'
import { runJest } from './soak/run-jest.ts'
import { formatSoakReport, type SoakRun, summarizeSoak } from './soak/soak-report.ts'

const usage = `usage:
  npm run test:soak -- [path…]            run the tests whose path matches; default all
options:
  --runs <n>                              number of runs, 1 to 100; default 5
  --busy <n>                              number of processes that keep a CPU busy, 0 to 64; default 2`

const root = join(import.meta.dirname, '../..')

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { runs: { type: 'string', default: '5' }, busy: { type: 'string', default: '2' } },
  })
  const runCount = readCount(values.runs, '--runs', 1, 100)
  using _busy = startBusyProcesses(readCount(values.busy, '--busy', 0, 64))
  const runs: SoakRun[] = []
  for (let index = 1; index <= runCount; index += 1) {
    const result = await runJest(root, positionals)
    runs.push(result)
    const { seconds, passed, failures, messages } = result
    process.stdout.write(
      `run ${index} of ${runCount}: ${seconds.toFixed(1)} s, ${passed} passed, ${failures.length} failed\n`,
    )
    for (const message of messages) process.stdout.write(`${message}\n`)
  }
  const summary = summarizeSoak(runs)
  process.stdout.write(`${formatSoakReport(summary)}\n${JSON.stringify(summary)}\n`)
  return summary.failedRuns === 0 ? 0 : 1
}

function readCount(text: string, name: string, min: number, max: number): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(count >= min && count <= max)) throw new Error(`${name} must be a number from ${min} to ${max}, not ${text}`)
  return count
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
  process.exitCode = 1
}
