import { type AddEntry, type Entry, type Operation, pairOperations, type ReceiveEntry } from './history.ts'

/** The result of a checker. It holds if there is no violation. */
export interface CheckResult {
  /** The number of things compared, so that an empty history is not mistaken for a good one. */
  checked: number
  violations: string[]
}

export type Checker = (history: readonly Entry[]) => CheckResult

/** The bounds of what a read may return. */
interface ExpectedValues {
  /** Values whose creation had succeeded before the read began. */
  required: Set<string>
  /** Values whose creation had begun before the read ended, and is not known to have failed. */
  allowed: Set<string>
}

/** Returns a function that determines the bounds of a read, for a history whose values are unique. */
function createExpectedValues(history: readonly Entry[]) {
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

/**
 * Checks that every read contains all values that were added before it, each once, and none that was not added.
 * Operations with the result `unknown` may or may not have taken effect.
 */
const checkSet: Checker = (history) => {
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

/** Checks that every total is between the number of values certainly added before it and of those possibly added. */
const checkTotal: Checker = (history) => {
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

/**
 * Checks that strictly ordered deliveries arrive in the order of the changes: if one change ended before another began,
 * it is received first. Repeated deliveries of a value are ignored, because deliveries are made at least once.
 */
const checkOrder: Checker = (history) => {
  const adds = pairOperations(history, 'add').filter(({ result }) => result === 'ok')
  const changes = new Map(adds.map((add) => [add.entry.value, add]))
  const received = history.filter(
    (entry): entry is ReceiveEntry => entry.operation === 'receive' && entry.ordering === 'strict',
  )
  const streams = Map.groupBy(received, ({ workspace, object }) => `${workspace} ${object}`)
  const violations: string[] = []
  let checked = 0
  for (const stream of streams.values()) {
    const seen = new Set<string>()
    let latest = { invokedAt: -1, value: '' }
    for (const { value, workspace, index } of stream) {
      const change = changes.get(value)
      if (change === undefined || seen.has(value)) continue
      seen.add(value)
      checked += 1
      if (change.completedAt < latest.invokedAt)
        violations.push(`${value} was received after ${latest.value}, which is later, in ${workspace} (entry ${index})`)
      if (change.invokedAt > latest.invokedAt) latest = { invokedAt: change.invokedAt, value }
    }
  }
  return { checked, violations }
}

/** Checks that no read and no delivery of a workspace contains a value of another. */
const checkIsolation: Checker = (history) => {
  const owners = new Map<string, string>()
  for (const entry of history) if (entry.operation === 'add') owners.set(entry.value, entry.workspace)
  let checked = 0
  const violations = history.flatMap((entry) => {
    const values = valuesSeenBy(entry)
    if (values === undefined) return []
    checked += 1
    return values.flatMap((value) => {
      const owner = owners.get(value)
      if (owner === undefined || owner === entry.workspace) return []
      return [`${entry.workspace} saw ${value} of ${owner} by ${entry.operation} (entry ${entry.index})`]
    })
  })
  return { checked, violations }
}

function valuesSeenBy(entry: Entry): readonly string[] | undefined {
  if (entry.operation === 'receive') return [entry.value]
  return entry.operation === 'read-set' || entry.operation === 'read-foreign' ? entry.values : undefined
}

/** The invariants of a history, by name. */
export const checkers = {
  set: checkSet,
  total: checkTotal,
  order: checkOrder,
  isolation: checkIsolation,
} satisfies Record<string, Checker>

export type Invariant = keyof typeof checkers

export const invariants = Object.keys(checkers) as Invariant[] // the keys of a constant object are its declared names
