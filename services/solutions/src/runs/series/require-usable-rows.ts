import { failure } from '../../failure.ts'
import type { RowColumns, SeriesGroup } from './series-rows.ts'
import { UnusableRows } from './unusable-rows.ts'

/**
 * Checks that a run has rows with a time and a value, and that they are at least `minShare` of all that are not empty.
 * @throws JobFailure that names the columns at fault, with examples
 */
export function requireUsableRows(
  groups: readonly SeriesGroup[],
  columns: RowColumns,
  { minShare, refused }: { minShare: number; refused: number },
): void {
  const all = new UnusableRows()
  for (const { unusable } of groups) all.addAll(unusable)
  all.addRefused(refused * Math.max(1, columns.values.length) - all.refusedCount)
  const used = groups.reduce((sum, { points }) => sum + countValues(points), 0)
  if (used === 0) throw noneUsable(groups, columns, all)
  const share = used / (used + all.count)
  if (share < minShare)
    throw failure('too_few_usable_rows', describeShare({ used, of: used + all.count, minShare }, all, columns.format))
}

/** Returns the rows with a value as a share of those that are not empty; 1 if all are empty. */
export function usableShareOf(points: SeriesGroup['points'], unusable: UnusableRows | null): number {
  const [used, lost] = [countValues(points), unusable?.count ?? 0]
  return used + lost === 0 ? 1 : used / (used + lost)
}

/** Describes too small a share of usable rows, with the most frequent reasons. */
export function describeShare(
  { used, of, minShare }: { used: number; of: number; minShare: number },
  unusable: UnusableRows | null,
  format: string | undefined,
): string {
  const reasons = unusable?.summary(format) ?? ''
  return `Only ${used} of ${of} rows (${percent(used / of)}) can be used, and \`min_usable_share\` is ${percent(minShare)}. ${reasons}`.trimEnd()
}

/** Formats a share with enough digits to tell it from another one: 94.9 % is less than 95 %. */
const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`

const countValues = (points: SeriesGroup['points']): number =>
  points.reduce((sum, { value }) => sum + (value === null ? 0 : 1), 0)

function noneUsable(
  groups: readonly SeriesGroup[],
  { times, values, format }: RowColumns,
  unusable: UnusableRows,
): ReturnType<typeof failure> {
  if (groups.every(({ points }) => points.every(({ ts }) => ts === ''))) {
    const number = unusable.exampleOf('value_unreadable')
    if (number !== undefined)
      return failure('unreadable_values', `\`${number.column}\` holds no numbers: ${number.example}`)
    const time = unusable.exampleOf('time_unreadable')
    if (time !== undefined) return failure('unreadable_times', describeTimes(time.column, time.example, format))
  }
  const timeNames = times.map((name) => `"${name}"`).join(' and ')
  const missing =
    values.length === 0
      ? `a time in ${timeNames}`
      : `a time in ${timeNames} and a number in ${listNames(values, ' or ')}`
  return failure('no_data', `The data source has no row with ${missing}`)
}

const listNames = (names: readonly string[], mark: string): string => names.map((name) => `"${name}"`).join(mark)

const describeTimes = (time: string, example: string, format: string | undefined): string =>
  format === undefined
    ? `\`${time}\` holds no times: ${example}. State their format in timestamp_format, for example \`DD.MM.YYYY HH:mm\``
    : `\`${time}\` holds no times of the format \`${format}\`: ${example}`
