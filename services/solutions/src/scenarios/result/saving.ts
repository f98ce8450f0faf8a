import { listNames } from '../../workplace/tree.ts'
import type { ScenarioFloor } from '../scenario-input.ts'

/** The saving of a year of a floor that closes. */
export interface SavingLine {
  floor: string
  /** Weekdays on which it is closed, and open. */
  days: number
  openDays: number
  /** In minor units. */
  amount: number
  /** The part of its cost that ends only with the lease; of a floor that is closed all week. */
  rent: number
}

/** The saving of a year of all floors that close. */
export interface Saving {
  /** Null if the floors have none or several, or no cost. */
  currency: string | null
  amount: number
  rent: number
  lines: SavingLine[]
  warnings: string[]
}

/** Returns what one plan saves more than another; null if they cannot be compared. */
export function savingBeyond(one: Saving, other: Saving): number | null {
  const isKnown = ({ currency, lines }: Saving) => currency !== null || lines.length === 0
  const isSame = one.currency === null || other.currency === null || one.currency === other.currency
  return isKnown(one) && isKnown(other) && isSame ? one.amount - other.amount : null
}

/**
 * Returns what an allocation saves: of each floor, its cost of a year × the share that ends when it is closed × the
 * share of its own weekdays on which it is closed: what its opening hours close is no saving. The rest, such as rent,
 * ends only with the lease: it is not in the amount, and stated for floors that are closed all week.
 *
 * @param open `open[weekday][floor]`
 */
export function savingOf(floors: readonly ScenarioFloor[], open: readonly (readonly boolean[])[]): Saving {
  const [withoutCost, withoutShare]: [string[], string[]] = [[], []]
  const lines: (SavingLine & { currency: string | null })[] = []
  for (const [at, { id, name, annualCost, avoidableShare, currency, shut }] of floors.entries()) {
    const own = open.filter((_, day) => !shut[day])
    const days = own.filter((day) => day[at] !== true).length
    if (days === 0) continue
    if (annualCost === null) {
      withoutCost.push(name)
      continue
    }
    if (avoidableShare === null) {
      withoutShare.push(name)
      continue
    }
    const avoidable = annualCost * avoidableShare
    const amount = Math.round((avoidable * days) / own.length)
    lines.push({
      floor: id,
      days,
      openDays: own.length - days,
      currency,
      amount,
      rent: days === own.length ? annualCost - amount : 0,
    })
  }
  const warnings = [
    ...unstated('The cost a year', withoutCost),
    ...unstated('The share saved when closed', withoutShare),
  ]
  const currencies = new Set(lines.map(({ currency }) => currency))
  if (currencies.size > 1) warnings.push('The floors have costs in several currencies, which are not added.')
  if (currencies.has(null)) warnings.push('Costs have no currency, so that no saving is stated: state it for the site.')
  const sum = (of: (line: SavingLine) => number) =>
    currencies.size > 1 ? 0 : lines.reduce((all, line) => all + of(line), 0)
  return {
    currency: currencies.size === 1 ? ([...currencies][0] ?? null) : null,
    amount: sum(({ amount }) => amount),
    rent: sum(({ rent }) => rent),
    lines: lines.map(({ currency: _, ...line }) => line),
    warnings,
  }
}

/** Tells of which floors a fact is not stated without which closing them counts for nothing. */
const unstated = (fact: string, floors: readonly string[]): string[] =>
  floors.length === 0
    ? []
    : [`${fact} is not stated for ${listNames(floors)}: without it, closing a floor counts as no saving.`]
