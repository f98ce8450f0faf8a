import { relative } from 'node:path'

const maxRows = 15

/** Prints the slowest suites after a full run, then the totals in one line, which continuous integration parses. */
export default class TotalsReporter {
  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir
  }

  onRunComplete(_contexts, results) {
    const failedSuites = results.testResults.filter((suite) => suite.testExecError).length
    const skipped = results.numPendingTests + results.numTodoTests
    const totals = `${results.numPassedTests} passed, ${results.numFailedTests + failedSuites} failed`
    const slowest = results.testResults.length > maxRows ? formatSlowest(results.testResults, this.rootDir) : ''
    process.once('exit', () => {
      process.stdout.write(`${slowest}${totals}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
    })
  }
}

/** Formats the suites with the longest run time, in seconds. */
export function formatSlowest(suites, rootDir) {
  const rows = suites
    .map(({ perfStats, testFilePath }) => ({
      seconds: perfStats.runtime / 1000,
      path: relative(rootDir, testFilePath),
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, maxRows)
  const total = suites.reduce((sum, { perfStats }) => sum + perfStats.runtime / 1000, 0)
  const lines = rows.map(({ seconds, path }) => `${seconds.toFixed(1).padStart(7)}  ${path}`)
  return `\nSlowest of ${suites.length} suites (${total.toFixed(0)} s in total):\n${lines.join('\n')}\n\n`
}
