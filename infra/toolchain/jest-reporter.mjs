/** Prints the one line that continuous integration reads, from Jest's own results, after everything else. */
export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter((file) => file.testExecError).length
    const skipped = results.numPendingTests + results.numTodoTests
    const line = `${results.numPassedTests} passed, ${results.numFailedTests + broken} failed`
    process.once('exit', () => process.stdout.write(`${line}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`))
  }
}
