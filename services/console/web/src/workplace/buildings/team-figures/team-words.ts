import type { Client } from '@wp/client/browser'
import { formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { formatPeople, highest, type UtilizationRow, weekdayName } from '../space-words.ts'

export type Team = Awaited<ReturnType<Client['solutions']['getTeam']>>

/**
 * Says why the figures of a team are withheld: it is small itself, or so few of it are in on most days.
 *
 * @param threshold figures of fewer people are withheld
 */
export const withheldText = ({ headcount }: Pick<UtilizationRow, 'headcount'>, threshold: number): string =>
  `Under ${threshold} ${headcount !== null && headcount < threshold ? 'people' : 'in'}`

/** Says where the people of teams with withheld figures are seen. */
export const withheldAdvice =
  'The figures of the team around it have its people too: put a small team into a larger one.'

/** Returns true if the figures of a team are withheld, because they could tell of its members. */
export const isWithheld = (row: UtilizationRow | undefined): boolean =>
  row?.suppressed === true && row.attendance === null

/** Formats members for each desk needed: `1.4 people per desk`. */
export const sharingText = (ratio: number | null | undefined): string =>
  ratio === null || ratio === undefined ? '–' : `${formatNumber(ratio, 1)} per desk`

export const shareText = (share: number | null | undefined): string =>
  share === null || share === undefined ? '–' : formatPercent(share)

/**
 * Describes how often a team is in: `On Tuesdays about 14 of 22 people are in, on Fridays 6. Nine days in ten, 15 desks
 * are enough: 1.5 people share one.`
 *
 * @param days rows by weekday
 * @param range the row of all days
 * @param threshold figures of fewer people are withheld
 */
export function describeTeam(
  days: readonly UtilizationRow[],
  range: UtilizationRow | undefined,
  threshold: number,
): string {
  if (range === undefined) return 'Nothing has been measured of this team in this period.'
  if (isWithheld(range))
    return `${withheldText(range, threshold)}: the figures are withheld, so that they tell of no person. ${withheldAdvice}`
  const workdays = days.filter(({ attendance }) => attendance !== null && attendance >= 1)
  const busiest = highest(workdays, 'attendance')
  if (busiest?.weekday === undefined) return 'There was nearly no one of this team in this period.'
  const of = range.headcount === null ? '' : ` of ${formatPeople(Math.round(range.headcount))}`
  const quietest = workdays.toSorted((a, b) => (a.attendance ?? 0) - (b.attendance ?? 0))[0]
  const quiet =
    quietest?.weekday === undefined || quietest === busiest
      ? ''
      : `, on ${weekdayName(quietest.weekday)}s ${formatPeople(quietest.attendance)}`
  const first = `On ${weekdayName(busiest.weekday)}s about ${formatPeople(busiest.attendance)}${of} people are in${quiet}.`
  if (range.sharing_ratio === null || range.headcount === null) return first
  const desks = Math.ceil(range.headcount / range.sharing_ratio)
  return `${first} On nine days in ten ${formatNumber(desks)} desks are enough: ${formatNumber(range.sharing_ratio, 1)} people share one.`
}
