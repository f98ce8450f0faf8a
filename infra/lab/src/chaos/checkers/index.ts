import type { Checker } from './check-result.ts'
import { checkIsolation } from './isolation.ts'
import { checkOrder } from './order.ts'
import { checkSet } from './set.ts'
import { checkTotal } from './total.ts'

/** The invariants of a history, by name. */
export const checkers = {
  set: checkSet,
  total: checkTotal,
  order: checkOrder,
  isolation: checkIsolation,
} satisfies Record<string, Checker>

/** The name of an invariant. */
export type Invariant = keyof typeof checkers

export const invariants = Object.keys(checkers) as Invariant[] // the keys of a constant object are its declared names
