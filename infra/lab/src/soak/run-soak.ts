import { join } from 'node:path'
import { startBusyProcesses } from './busy-processes.ts'
import { runJest } from './run-jest.ts'
import { formatSoakReport, type SoakRun, summarizeSoak } from './soak-report.ts'

const root = join(import.meta.dirname, '../../../..')

/**
 * Runs the tests several times beside processes that keep the CPU busy, and reports how often each test fails.
 *
 * @param paths the tests whose path matches; none means all
 * @returns false if any run failed
 */
export async function runSoak(options: { runs: number; busy: number }, paths: readonly string[]): Promise<boolean> {
  using _busy = startBusyProcesses(options.busy)
  const runs: SoakRun[] = []
  for (let index = 1; index <= options.runs; index += 1) {
    const result = await runJest(root, paths)
    runs.push(result)
    const { seconds, passed, failures, messages } = result
    const counts = `${passed} passed, ${failures.length} failed`
    process.stdout.write(`run ${index} of ${options.runs}: ${seconds.toFixed(1)} s, ${counts}\n`)
    for (const message of messages) process.stdout.write(`${message}\n`)
  }
  const summary = summarizeSoak(runs)
  process.stdout.write(`${formatSoakReport(summary)}\n${JSON.stringify(summary)}\n`)
  return summary.failedRuns === 0
}
