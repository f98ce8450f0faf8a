import type { DescribedColumn } from './column-roles.ts'
import * as words from './column-roles.ts'
import { isClock, isClockRange, isListOfTeams, isMoment, isNamed } from './column-traits.ts'
import type { RecognizedDataset } from './recognize-dataset.ts'

/** Says of which use of a table a person has to judge. @param valuesOf different values of a column, up to a bound */
export function kindRemarks(
  columns: readonly DescribedColumn[],
  dataset: RecognizedDataset | null,
  valuesOf: (name: string) => Iterable<unknown> = () => [],
): { code: string; message: string }[] {
  const times = columns.filter((column) => isMoment(column) || isClock(column))
  const bounds = [words.startWords, words.endWords].map((names) => times.find((column) => isNamed(column, names)))
  const [start, end] = bounds.includes(undefined) ? [times.find(isClockRange)] : bounds
  if (dataset?.kind === 'attendance_days' && dataset.mapping.status === undefined && start !== undefined) {
    const names = [start, end].flatMap((column) => (column === undefined ? [] : [`"${column.name}"`])).join(' and ')
    const message = `${names} may be of a plan or of work that was done: each row counts as a day at the office. Do not count a plan as attendance`
    return [{ code: 'plan_or_work', message }]
  }
  if (dataset?.kind === 'bookings' && dataset.mapping.cancelled === undefined)
    return columns.flatMap(({ name, type }) => {
      const cancelled = type === 'string' && [...valuesOf(name)].find((value) => cancelledTitle.test(`${value}`))
      if (!cancelled) return []
      const message = `Column "${name}" says of some bookings that they were cancelled ("${cancelled}"), but they count as bookings. Leave such rows out of the file, or add a column that states it`
      return [{ code: 'cancelled_by_title', message }]
    })
  if (dataset?.kind === 'spaces' && dataset.mapping.annual_cost === undefined) {
    const costs = columns.filter(({ name, type }) => type === 'number' && costName.test(name)).map(({ name }) => name)
    const named = costs.map((name) => `"${name}"`).join(', ')
    const message = `No costs are read: ${named} ${costs.length === 1 ? 'is' : 'are'} not the cost of a year of a whole space. Add it up in a column of its own, such as "Annual cost (EUR)"`
    return costs.length === 0 ? [] : [{ code: 'costs_not_read', message }]
  }
  if (dataset === null && times.length === 0 && isListOfTeams(columns)) return [listOfTeams]
  if (dataset !== null || times.length === 0) return []
  const state = columns.find(
    ({ examples = [], type }) => type === 'string' && examples.length > 1 && examples.every(isOccupancy),
  )
  const devices = columns.find((column) => column.type === 'number' && isNamed(column, [words.deviceWords]))
  const remark = (column: DescribedColumn | undefined, code: string, says: string) =>
    column === undefined ? [] : [{ code, message: `Column "${column.name}" ${says}` }]
  return [
    ...remark(
      state,
      'occupied_or_free',
      'says if a place is taken, not by how many people, so no kind is proposed. Export the number of people, or each use as a booking with its start and end',
    ),
    ...remark(
      devices,
      'counts_devices',
      'counts devices, of which a person has several or none, so no kind is proposed. As people counts, each would be a person',
    ),
  ]
}

const listOfTeams = {
  code: 'list_of_teams',
  message:
    'The file seems to list teams, which are not created from a file: create them under Teams, or by `POST /v1/solutions/workplace/teams`, with their names, headcounts and homes. A list of people with the team of each tells who is in them',
}

const costName =
  /costs?\b|kosten(?!stelle|tr[äa])|miete\b|\brent\b|loyer|charges\b|reinigung\b|cleaning\b|€|£|\bT?(?:EUR|CHF|GBP|USD)\b/i

/** Calendars write it before the title of an event. */
const cancelledTitle = /^(?:cancell?ed|abgesagt|storniert|annulée?|cancelad[oa]|annullat[oa]|geannuleerd) ?: /i

const isOccupancy = (text: string): boolean =>
  /^(?:(?:un|not )?occupied|free|vacant|available|in use|belegt|besetzt|frei|occupé|libre|ocupado|occupato|libero|bezet|vrij|motion|no motion|present|absent|on|off)$/i.test(
    text.trim(),
  )
