import type { CompanyTruth } from './company-truth.ts'
import { companyFiles } from './write-company.ts'

type DatasetName = 'spaces' | 'people' | 'badgeEvents' | 'bookings'

/** A file of a company as a data source and a dataset of the workplace: the column of each role. */
export interface CompanyDataset {
  kind: 'spaces' | 'people' | 'badge_events' | 'bookings'
  name: string
  file: string
  /** The column that identifies a row, if the rows have one. */
  key?: string
  mapping: Record<string, string>
}

/** The files that a manager loads, in this order: spaces before what happens in them, teams before people. */
export const companyDatasets: Readonly<Record<DatasetName, CompanyDataset>> = {
  spaces: {
    kind: 'spaces',
    name: 'Spaces',
    file: companyFiles.spaces,
    key: 'Space ID',
    mapping: {
      external_id: 'Space ID',
      name: 'Name',
      kind: 'Kind',
      parent_id: 'Parent ID',
      capacity: 'Capacity',
      annual_cost: 'Annual cost',
      currency: 'Currency',
      avoidable_share: 'Avoidable share',
      country: 'Country',
      subdivision: 'Subdivision',
      timezone: 'Time zone',
    },
  },
  people: {
    kind: 'people',
    name: 'Directory',
    file: companyFiles.people,
    mapping: { person: 'Employee', team: 'Unit', from: 'From', until: 'Until' },
  },
  badgeEvents: {
    kind: 'badge_events',
    name: 'Badge events',
    file: companyFiles.badgeEvents,
    mapping: { person: 'Ausweis-Nr', space: 'Leser', direction: 'Ereignis', time: 'Zeit' },
  },
  bookings: {
    kind: 'bookings',
    name: 'Bookings',
    file: companyFiles.bookings,
    key: 'Booking',
    mapping: {
      space: 'Resource',
      start: 'Start',
      end: 'End',
      person: 'Employee',
      attendees: 'Attendees',
      checked_in: 'Checked in',
      cancelled: 'Cancelled',
    },
  },
}

/** Returns the map of the values of a file, which names external ids, with the ids of the spaces or teams instead. */
export const mapToIds = (map: Readonly<Record<string, string>>, ids: ReadonlyMap<string, string>) =>
  Object.fromEntries(
    Object.entries(map).flatMap(([value, externalId]) => {
      const id = ids.get(externalId)
      return id === undefined ? [] : [[value, id] as const]
    }),
  )

/** A team of `teams.csv`. */
export interface ListedTeam {
  externalId: string
  name: string
  /** Empty if there is none. */
  parent: string
  home: string
}

/** Reads `teams.csv`, teams of teams before those in them. */
export const readTeams = (csv: string): ListedTeam[] =>
  csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))
    .map(([externalId = '', name = '', parent = '', home = '']) => ({ externalId, name, parent, home }))
    .sort((a, b) => a.parent.length - b.parent.length)

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const

/** Returns the opening hours of each site. The list of spaces has a column of them, which datasets have no role for. */
export function siteHours({ spaces }: CompanyTruth) {
  const time = (minutes: number) => `${String(minutes / 60).padStart(2, '0')}:00`
  return spaces
    .filter(({ id }) => !id.includes('-'))
    .map(({ id, opens, closes }) => {
      const hours = { from: time(opens), to: time(closes) }
      return { externalId: id, openingHours: Object.fromEntries(weekdays.map((day) => [day, hours])) }
    })
}
