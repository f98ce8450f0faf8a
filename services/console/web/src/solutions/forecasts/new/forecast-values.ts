import type { ForecastSearch as FileSearch } from '../../../data/uploads/forecast-search.ts'
import { textOfNumber } from '../../../ui/form/number-text.ts'
import { type RunInput, runInput } from '../run-input.ts'
import { formatClosures, formatDayKinds } from './forecast-text.ts'

/** The subject of a forecast: places and teams of the workplace, or the rows of a file, uploaded or pasted. */
export type ForecastWhat = 'building' | 'teams' | 'file' | 'paste'

/** The values of the form, which are texts. Fields have the names of the body, so that errors of the API find them. */
export interface ForecastValues {
  what: ForecastWhat
  workplace: {
    /** The building to begin with; empty for all. */
    space_id: string
    team_id: string
    /** The kind of space down to which there are forecasts. */
    level: string
    measure: 'attendance' | 'peak'
    /** Dates that are holidays besides the public ones, and public ones that are none here. */
    add: string
    remove: string
    use_bookings: boolean
  }
  data_source_id: string
  timestamp_field: string
  /** The second column of the times; empty if one column has date and time. */
  hour_field: string
  timestamp_format: string
  value_field: string
  /** Columns of values that are a series each, `value_field` among them or not; empty if there is one column. */
  more_values: string[]
  group_by: string[]
  series: string
  frequency: string
  aggregation: string
  measure: '' | 'level' | 'flow'
  /** Of an earlier run; empty for the default. */
  min_usable_share: string
  timezone: string
  horizon: string
  levels: string[]
  /** The most that each group can hold; empty for no number. */
  capacity: string
  /** Numbers of single groups, in place of the one for all. */
  capacities: { group: string; value: string }[]
  holidays: string
  closures: string
  calendar: string
  external_id: string
}

export const emptyValues = (timezone: string): ForecastValues => ({
  what: 'file',
  workplace: {
    space_id: '',
    team_id: '',
    level: '',
    measure: 'attendance' as const,
    add: '',
    remove: '',
    use_bookings: true,
  },
  data_source_id: '',
  timestamp_field: '',
  hour_field: '',
  timestamp_format: '',
  value_field: '',
  more_values: [],
  group_by: [],
  series: '',
  frequency: 'hour',
  aggregation: 'sum',
  measure: '',
  min_usable_share: '',
  timezone,
  horizon: '168',
  levels: ['0.8', '0.95'],
  capacity: '',
  capacities: [],
  holidays: '',
  closures: '',
  calendar: '',
  external_id: '',
})

/** Returns the values that the address of the page names. */
export const valuesOfSearch = (
  {
    source,
    space,
    team,
    ...search
  }: Partial<FileSearch> & { what?: 'building' | 'teams'; space?: string; team?: string },
  empty: ForecastValues,
): ForecastValues => ({
  ...empty,
  what: search.what ?? (team !== undefined ? 'teams' : space !== undefined ? 'building' : 'file'),
  ...((search.what ?? space ?? team) !== undefined && workplaceDefaults),
  workplace: { ...empty.workplace, space_id: space ?? '', team_id: team ?? '' },
  data_source_id: source ?? '',
  ...(search.time !== undefined && { timestamp_field: search.time }),
  ...(search.hour !== undefined && { hour_field: search.hour }),
  ...(search.value !== undefined && { value_field: search.value }),
  ...(search.more !== undefined && { more_values: search.more }),
  ...(search.group !== undefined && { group_by: search.group }),
  ...(search.measure !== undefined && { measure: search.measure }),
  ...(search.aggregation !== undefined && { aggregation: search.aggregation }),
})

/** Days and a month suit a forecast of the workplace. */
export const workplaceDefaults = { frequency: 'day', horizon: '30' } as const

/** Returns the values of an earlier run. Points of pasted series are not kept by the API. */
export function valuesOfRun(run: { input: Record<string, unknown>; external_id: string | null }): ForecastValues {
  const input: RunInput = runInput(run)
  const { capacity, workplace } = input
  const empty = emptyValues(input.timezone)
  const [time = '', hour = ''] = [input.timestamp_field ?? []].flat()
  const [value = ''] = [input.value_field ?? []].flat()
  return {
    ...empty,
    what: whatOf(input),
    ...(workplace !== undefined && {
      workplace: {
        space_id: workplace.space_id ?? '',
        team_id: workplace.team_id ?? '',
        level: workplace.level,
        measure: workplace.measure ?? 'attendance',
        add: (workplace.holidays?.add ?? []).join(', '),
        remove: (workplace.holidays?.remove ?? []).join(', '),
        use_bookings: workplace.use_bookings ?? true,
      },
    }),
    data_source_id: input.data_source_id ?? '',
    timestamp_field: time,
    hour_field: hour,
    timestamp_format: input.timestamp_format ?? '',
    value_field: value,
    more_values: Array.isArray(input.value_field) ? [...input.value_field] : [],
    group_by: [...(input.group_by ?? [])],
    frequency: input.frequency,
    aggregation: input.aggregation ?? 'sum',
    measure: input.measure ?? '',
    min_usable_share: textOfNumber(input.min_usable_share),
    horizon: String(input.horizon),
    levels: (input.levels ?? []).map(String),
    capacity: typeof capacity === 'number' ? textOfNumber(capacity) : '',
    capacities:
      typeof capacity === 'object'
        ? Object.entries(capacity).map(([group, number]) => ({ group, value: textOfNumber(number) }))
        : [],
    holidays: (input.holidays ?? []).join(', '),
    closures: formatClosures(input.closures ?? []),
    calendar: formatDayKinds(input.calendar ?? []),
    external_id: run.external_id ?? '',
  }
}

const whatOf = ({ workplace, data_source_id: source }: RunInput): ForecastWhat => {
  if (workplace !== undefined) return workplace.level === 'team' ? 'teams' : 'building'
  return source === undefined ? 'paste' : 'file'
}
