import { pairOperations } from '../history.ts'
import type { Checker } from './check-result.ts'
import { createExpectedValues } from './expected-values.ts'

/**
 * Checks that every read contains all values that were added before it, each once, and none that was not added.
 * Operations with the result `unknown` may or may not have taken effect.
 */
export const checkSet: Checker = (history) => {
  const expectedValues = createExpectedValues(history)
  const reads = pairOperations(history, 'read-set').filter(({ result }) => result === 'ok')
  const violations = reads.flatMap((read) => {
    const { workspace, object, view, values = [], index } = read.entry
    const { required, allowed } = expectedValues(read)
    const found = new Set(values)
    const say = (problem: string) => (value: string) =>
      `${problem}: ${value}, in the ${view} of ${object} of ${workspace} (entry ${index})`
    return [
      ...[...required].filter((value) => !found.has(value)).map(say('lost')),
      ...[...found].filter((value) => !allowed.has(value)).map(say('unexpected')),
      ...values.filter((value, at) => values.indexOf(value) !== at).map(say('doubled')),
    ]
  })
  return { checked: reads.length, violations }
}
