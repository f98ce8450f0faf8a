import { gregorianYear, isDate } from './calendar.ts'
import type { DateStyle } from './scan-timestamp.ts'

/** Orders of the numbers of a date: day, month, year; month, day, year; year, month, day. */
export const dateOrders = ['DMY', 'MDY', 'YMD'] as const
export type DateOrder = (typeof dateOrders)[number]

/** Two-digit years are read as 2000 to 2049. Others may be of the last century. */
const maxShortYear = 49

/** Returns the orders that a layout allows. */
export function ordersOf({ layout, separators }: DateStyle): readonly DateOrder[] {
  if (layout === 'yearLast') return ['DMY', 'MDY']
  if (layout === 'shortYear') return separators[0].startsWith('.') ? ['DMY', 'MDY'] : ['DMY', 'MDY', 'YMD']
  if (layout === 'named' || layout === 'namedShortYear') return ['DMY']
  return layout === 'monthFirst' ? ['MDY'] : ['YMD']
}

/**
 * Returns the day number of a date in an order, in days since 1970; undefined if it is not a date. A month that has a
 * name is taken from `namedMonth`.
 */
export function dayNumber(
  { layout }: DateStyle,
  [one, two, three]: readonly [number, number, number],
  order: DateOrder,
): number | undefined {
  const [written, month, day] =
    order === 'DMY' ? [three, two, one] : order === 'MDY' ? [three, one, two] : [one, two, three]
  const isShort = layout === 'shortYear' || layout === 'namedShortYear'
  if (isShort && written > maxShortYear) return undefined
  const year = isShort ? 2000 + written : gregorianYear(written)
  // The names of months are checked by the reader.
  const checkedMonth = layout === 'named' || layout === 'namedShortYear' || layout === 'monthFirst' ? 1 : month
  if (!isDate(year, checkedMonth, day)) return undefined
  return Date.UTC(year, checkedMonth - 1, day) / 86_400_000
}

/** Returns the format of dates in an order. */
export function dateFormat({ layout, separators }: DateStyle, order: DateOrder, isUnpadded: boolean): string {
  const [first, second] = separators
  const [day, month] = isUnpadded ? ['D', 'M'] : ['DD', 'MM']
  const year = layout === 'shortYear' || layout === 'namedShortYear' ? 'YY' : 'YYYY'
  if (layout === 'named' || layout === 'namedShortYear') return `${day}${first}MMM${second}${year}`
  if (layout === 'monthFirst') return `MMM${first}${day}${second}${year}`
  const parts = order === 'DMY' ? [day, month, year] : order === 'MDY' ? [month, day, year] : [year, month, day]
  return `${parts[0]}${first}${parts[1]}${second}${parts[2]}`
}
