import { type AddEntry, type Entry, type Operation, pairOperations } from '../history.ts'

/** The bounds of what a read may return. */
export interface ExpectedValues {
  /** Values whose creation had succeeded before the read began. */
  required: Set<string>
  /** Values whose creation had begun before the read ended, and is not known to have failed. */
  allowed: Set<string>
}

/** Returns a function that determines the bounds of a read, for a history whose values are unique. */
export function createExpectedValues(history: readonly Entry[]) {
  const adds = Map.groupBy(pairOperations(history, 'add'), ({ entry }) => keyOf(entry))

  return ({ invokedAt, completedAt, entry }: Operation<Entry>): ExpectedValues => {
    const candidates = adds.get(keyOf(entry)) ?? []
    const required = candidates.filter((add) => add.result === 'ok' && add.completedAt < invokedAt)
    const allowed = candidates.filter((add) => add.result !== 'fail' && add.invokedAt < completedAt)
    return { required: valuesOf(required), allowed: valuesOf(allowed) }
  }
}

const keyOf = ({ workspace, object }: Entry) => `${workspace} ${object}`
const valuesOf = (adds: readonly Operation<AddEntry>[]) => new Set(adds.map(({ entry }) => entry.value))
