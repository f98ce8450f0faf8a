import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const maxRows = 15
const maxRepeated = 10

/**
 * Prints the slowest suites after a full run, the tests that failed, then the totals in one line, which continuous
 * integration parses. Writes the paths of a few failed suites to the file that FAILED_SUITES_FILE names: they run a
 * second time, and are not in these totals.
 */
export default class TotalsReporter {
  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir
  }

  onRunComplete(_contexts, { testResults }) {
    const failed = testResults.filter(({ testExecError, numFailingTests }) => testExecError || numFailingTests > 0)
    const file = process.env.FAILED_SUITES_FILE
    const isRepeated = file !== undefined && failed.length > 0 && failed.length <= maxRepeated
    if (isRepeated) {
      const paths = failed.map(({ testFilePath }) => `${relative(this.rootDir, testFilePath)}\n`)
      writeFileSync(file, paths.join(''))
    }
    const totals = formatTotals(isRepeated ? testResults.filter((suite) => !failed.includes(suite)) : testResults)
    const slowest = testResults.length > maxRows ? formatSlowest(testResults, this.rootDir) : ''
    const names = failed.length > 0 ? formatFailed(failed, this.rootDir) : ''
    process.once('exit', () => {
      process.stdout.write(`${slowest}${names}${totals}\n`)
    })
  }
}

/** Formats the numbers of tests; a suite that could not be executed counts as one that failed. */
export function formatTotals(suites) {
  const sum = (count) => suites.reduce((total, suite) => total + count(suite), 0)
  const skipped = sum(({ numPendingTests, numTodoTests = 0 }) => numPendingTests + numTodoTests)
  const failed = sum(({ numFailingTests, testExecError }) => numFailingTests + (testExecError ? 1 : 0))
  return `${sum(({ numPassingTests }) => numPassingTests)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function formatFailed(suites, rootDir) {
  const lines = suites.flatMap(({ testFilePath, testExecError, testResults }) => {
    const tests = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    return [...(testExecError ? ['could not be executed'] : []), ...tests].map(
      (test) => `  ${relative(rootDir, testFilePath)}: ${test}`,
    )
  })
  return `Failed:\n${lines.join('\n')}\n`
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
