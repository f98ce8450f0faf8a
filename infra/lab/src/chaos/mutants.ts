import type { Invariant } from './checkers.ts'
import type { Entry } from './history.ts'

/** A defect that is planted in a recorded history, to show that the checker of an invariant reports it. */
interface Mutant {
  violates: Invariant
  apply(history: readonly Entry[]): Entry[]
}

/** Replaces the last entry that `change` changes; `change` returns undefined for entries that it leaves as they are. */
function changeLast(history: readonly Entry[], change: (entry: Entry) => Entry | undefined): Entry[] {
  const at = history.findLastIndex((entry) => change(entry) !== undefined)
  if (at < 0) throw new Error('the history has no entry that this mutant can change')
  return history.map((entry, index) => (index === at ? (change(entry) ?? entry) : entry))
}

const changeReadSet = (change: (values: readonly string[]) => readonly string[]) => (history: readonly Entry[]) =>
  changeLast(history, (entry) =>
    entry.operation === 'read-set' && entry.values?.length ? { ...entry, values: change(entry.values) } : undefined,
  )

const changeTotal = (difference: number) => (history: readonly Entry[]) =>
  changeLast(history, (entry) =>
    entry.operation === 'read-total' && entry.total !== undefined
      ? { ...entry, total: entry.total + difference }
      : undefined,
  )

/** Moves the first strictly ordered delivery behind the last one of the same stream. */
function delayFirstDelivery(history: readonly Entry[]): Entry[] {
  const isStrict = (entry: Entry) => entry.operation === 'receive' && entry.ordering === 'strict'
  const first = history.find(isStrict)
  if (first?.operation !== 'receive') throw new Error('the history has no strictly ordered delivery')
  const others = history.filter((entry) => !(isStrict(entry) && 'value' in entry && entry.value === first.value))
  const last = others.findLastIndex((entry) => isStrict(entry) && entry.workspace === first.workspace)
  return [...others.slice(0, last + 1), first, ...others.slice(last + 1)]
}

/** Lets a workspace see a value of another. */
function showForeignValue(history: readonly Entry[]): Entry[] {
  return changeLast(history, (entry) => {
    if (entry.operation !== 'read-foreign' || entry.values === undefined) return undefined
    const foreign = history.find((other) => other.operation === 'add' && other.workspace !== entry.workspace)
    return foreign?.operation === 'add' ? { ...entry, values: [...entry.values, foreign.value] } : undefined
  })
}

export const mutants: Readonly<Record<string, Mutant>> = {
  'lost-value': { violates: 'set', apply: changeReadSet((values) => values.slice(1)) },
  'doubled-value': { violates: 'set', apply: changeReadSet((values) => [...values, ...values.slice(0, 1)]) },
  'invented-value': { violates: 'set', apply: changeReadSet((values) => [...values, 'invented']) },
  'total-too-low': { violates: 'total', apply: changeTotal(-1) },
  'total-too-high': { violates: 'total', apply: changeTotal(1) },
  'late-delivery': { violates: 'order', apply: delayFirstDelivery },
  'foreign-value': { violates: 'isolation', apply: showForeignValue },
}
