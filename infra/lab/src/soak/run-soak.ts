import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { formatSoakReport, type SoakRun, summarizeSoak } from './soak-report.ts'

/** A run that takes longer is ended and counts as failed. */
const maxRunMs = 3_600_000

/** The characters of a suite's report that are kept. */
const maxMessageLength = 5000

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

/** The fields of Jest's JSON output that are used. */
interface JestResults {
  numPassedTests: number
  testResults: JestSuite[]
}

interface JestSuite {
  name: string
  status: string
  message: string
  startTime: number
  endTime: number
  assertionResults: { fullName: string; status: string }[]
}

/** Runs the tests once and returns the names of those that failed. */
async function runJest(root: string, paths: readonly string[]): Promise<SoakRun> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-soak-'))
  const output = join(folder, 'results.json')
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const startedAt = performance.now()
  try {
    const child = spawn(process.execPath, [jest, ...paths, '--silent', '--json', '--outputFile', output], {
      cwd: root,
      stdio: 'ignore',
      timeout: maxRunMs,
    })
    const [code, signal]: (number | string | null)[] = await once(child, 'exit')
    const seconds = (performance.now() - startedAt) / 1000
    if (!existsSync(output))
      return { seconds, passed: 0, failures: [`jest ended with ${signal ?? code}`], messages: [], suites: [] }
    const results: JestResults = JSON.parse(readFileSync(output, 'utf8'))
    return {
      seconds,
      passed: results.numPassedTests,
      failures: readFailures(results.testResults, root),
      messages: results.testResults.flatMap(({ status, name, message }) =>
        status === 'failed' ? [`${relative(root, name)}\n${message.slice(0, maxMessageLength)}`] : [],
      ),
      suites: results.testResults.map(({ name, startTime, endTime }) => ({
        path: relative(root, name),
        seconds: (endTime - startTime) / 1000,
      })),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the failed tests as `path: name`. A suite that could not run is one failure. */
export function readFailures(
  suites: readonly Pick<JestSuite, 'name' | 'message' | 'assertionResults'>[],
  root: string,
): string[] {
  return suites.flatMap(({ name, message, assertionResults }) => {
    const path = name.replace(`${root}/`, '')
    if (assertionResults.length === 0 && message !== '') return [`${path}: the suite did not run`]
    return assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `${path}: ${fullName}`)
  })
}

/** Processes that keep one CPU busy each, until they are disposed or this process exits. */
interface BusyProcesses extends Disposable {
  pids: readonly number[]
}

/** Starts `count` processes that run an endless loop. */
export function startBusyProcesses(count: number): BusyProcesses {
  const children: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  )
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    [Symbol.dispose]() {
      end()
      process.removeListener('exit', end)
    },
  }
}
