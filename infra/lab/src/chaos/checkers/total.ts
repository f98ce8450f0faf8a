import { pairOperations } from '../history.ts'
import type { Checker } from './check-result.ts'
import { createExpectedValues } from './expected-values.ts'

/** Checks that every total is between the number of values certainly added before it and of those possibly added. */
export const checkTotal: Checker = (history) => {
  const expectedValues = createExpectedValues(history)
  const reads = pairOperations(history, 'read-total').filter(({ result }) => result === 'ok')
  const violations = reads.flatMap((read) => {
    const { workspace, object, view, total = Number.NaN, index } = read.entry
    const { required, allowed } = expectedValues(read)
    if (total >= required.size && total <= allowed.size) return []
    const bounds = required.size === allowed.size ? `${required.size}` : `${required.size} to ${allowed.size}`
    return [`${total} ${object} in the ${view} of ${workspace} instead of ${bounds} (entry ${index})`]
  })
  return { checked: reads.length, violations }
}
