import { formatTable } from '../report.ts'

/** One run of the tests. */
export interface SoakRun {
  seconds: number
  passed: number
  /** The tests that failed, as `path: name`. */
  failures: string[]
  /** Jest's report of each suite that failed. */
  messages: string[]
  /** The duration of each suite. */
  suites: { path: string; seconds: number }[]
}

export interface SoakSummary {
  runs: number
  failedRuns: number
  /** The duration of each run, in seconds. */
  seconds: number[]
  /** The tests that failed at least once, the most frequent first. `rate` is the share of runs. */
  failures: { test: string; count: number; rate: number }[]
  /** The suites that took longest, by their mean duration. */
  slowest: { path: string; seconds: number }[]
}

const slowestCount = 15

/** Counts how often each test failed. */
export function summarizeSoak(runs: readonly SoakRun[]): SoakSummary {
  const counts = new Map<string, number>()
  for (const { failures } of runs) for (const test of failures) counts.set(test, (counts.get(test) ?? 0) + 1)
  return {
    runs: runs.length,
    failedRuns: runs.filter(({ failures }) => failures.length > 0).length,
    seconds: runs.map(({ seconds }) => Math.round(seconds * 10) / 10),
    failures: [...counts]
      .map(([test, count]) => ({ test, count, rate: count / runs.length }))
      .sort((a, b) => b.count - a.count || (a.test < b.test ? -1 : 1)),
    slowest: slowestSuites(runs),
  }
}

function slowestSuites(runs: readonly SoakRun[]): SoakSummary['slowest'] {
  const byPath = new Map<string, number[]>()
  for (const { path, seconds } of runs.flatMap(({ suites }) => suites))
    byPath.set(path, [...(byPath.get(path) ?? []), seconds])
  return [...byPath]
    .map(([path, all]) => ({ path, seconds: all.reduce((sum, seconds) => sum + seconds, 0) / all.length }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, slowestCount)
}

/** Formats the summary as tables of Markdown. */
export function formatSoakReport({ runs, failedRuns, failures, slowest }: SoakSummary): string {
  const rows = failures.map(({ test, count, rate }) => [test, `${count} of ${runs}`, `${(rate * 100).toFixed(0)} %`])
  return [
    `${failedRuns} of ${runs} runs failed`,
    ...(rows.length === 0 ? [] : [formatTable(['test', 'failed runs', 'rate'], rows)]),
    formatTable(
      ['slowest suites', 'seconds'],
      slowest.map(({ path, seconds }) => [path, seconds.toFixed(1)]),
    ),
  ].join('\n\n')
}
