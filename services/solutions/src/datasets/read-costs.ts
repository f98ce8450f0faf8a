import { currencyOfName, scaleOfName, scanNumber } from '@wp/tabular'
import type { Dataset } from '../store/datasets.ts'
import { readName } from './read-cells.ts'

/** Facts that a list states for all of its rows: currency, unit of shares, scale of costs. */
export type Statement = ReturnType<typeof statementOf>

export const statementOf = (mapping: Dataset['mapping'], cells: readonly Record<string, unknown>[]) => ({
  currency: currencyOf(mapping, cells),
  shareUnit: shareUnitOf(cells),
  costScale: scaleOfName(mapping.annual_cost ?? ''),
})

/** Returns 100 for a list of which a share is above 1, so that all are per cent, else 1. */
function shareUnitOf(cells: readonly Record<string, unknown>[]): 1 | 100 {
  return cells.some((row) => Number(readAmount(row.avoidable_share)) > 1) ? 100 : 1
}

/** Returns false for more than all, and for 0.4 beside 40, of which one may be a share and the other per cent. */
export const isShare = (share: number, unit: number): boolean => share <= unit && !(unit > 1 && share > 0 && share < 1)

/**
 * Returns the currency of costs beside which none stands: that of the name of their column, such as `Cost (€)`, else
 * the only one of the list, which the space around them may state. `$` and `¥` are of several countries.
 */
function currencyOf(mapping: Dataset['mapping'], cells: readonly Record<string, unknown>[]): string | undefined {
  const named = currencyOfName(mapping.annual_cost ?? '')
  if (named !== undefined) return named
  const [only, ...others] = new Set(cells.flatMap((row) => readName(row.currency) ?? []))
  return others.length === 0 && only !== undefined && currencyCodes.has(only) ? only : undefined
}

const currencyCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Returns the minor units of a currency: a list states costs in whole units, with decimals. Of an unknown one, 100. */
export function minorUnitsOf(currency: string | undefined): number {
  if (currency === undefined) return 100
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return 10 ** digits
}

/** Reads a number from 0 to a million millions; null if the cell is empty. */
export function readAmount(cell: unknown): number | null | 'unreadable' {
  if (cell === null || cell === undefined || cell === '') return null
  const value =
    typeof cell === 'number' ? cell : Number(typeof cell === 'string' && scanNumber(cell) ? cell : Number.NaN)
  return value >= 0 && value <= maxAmount ? value : 'unreadable'
}
const maxAmount = 1e12
