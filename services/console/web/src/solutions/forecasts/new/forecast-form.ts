import { describeIssue, NewForecastRun } from '@wp/contracts'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { toSentence } from '../../../ui/form/server-field-errors.ts'
import { type NewForecast, type RunInput, runInput } from '../run-input.ts'
import {
  formatCapacities,
  formatClosures,
  formatDayKinds,
  LineError,
  parseCapacities,
  parseClosures,
  parseDates,
  parseDayKinds,
} from './forecast-text.ts'
import { parseSeries } from './parse-series.ts'

/** The values of the form, which are texts. Fields have the names of the body, so that errors of the API find them. */
export interface ForecastValues {
  origin: 'source' | 'paste'
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
  capacity_kind: 'none' | 'all' | 'groups'
  capacity: string
  holidays: string
  closures: string
  calendar: string
  external_id: string
}

export const emptyValues = (timezone: string): ForecastValues => ({
  origin: 'source',
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
  capacity_kind: 'none',
  capacity: '',
  holidays: '',
  closures: '',
  calendar: '',
  external_id: '',
})

/** Returns the values that the address of the page names. */
export const valuesOfSearch = ({ source, ...search }: ForecastSearch): Partial<ForecastValues> => ({
  data_source_id: source ?? '',
  ...(search.time !== undefined && { timestamp_field: search.time }),
  ...(search.hour !== undefined && { hour_field: search.hour }),
  ...(search.value !== undefined && { value_field: search.value }),
  ...(search.more !== undefined && { more_values: search.more }),
  ...(search.group !== undefined && { group_by: [search.group] }),
  ...(search.measure !== undefined && { measure: search.measure }),
  ...(search.aggregation !== undefined && { aggregation: search.aggregation }),
})

interface ForecastSearch {
  source?: string
  time?: string
  hour?: string
  value?: string
  more?: string[]
  group?: string
  measure?: 'level' | 'flow'
  aggregation?: string
}

/** Returns the values of an earlier run. Points of pasted series are not kept by the API. */
export function valuesOfRun(run: { input: Record<string, unknown>; external_id: string | null }): ForecastValues {
  const input: RunInput = runInput(run)
  const { capacity } = input
  const [time = '', hour = ''] = [input.timestamp_field ?? []].flat()
  const [value = ''] = [input.value_field ?? []].flat()
  return {
    ...emptyValues(input.timezone),
    origin: input.data_source_id === undefined ? 'paste' : 'source',
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
    min_usable_share: String(input.min_usable_share ?? ''),
    horizon: String(input.horizon),
    levels: (input.levels ?? []).map(String),
    capacity_kind: capacity === undefined ? 'none' : typeof capacity === 'number' ? 'all' : 'groups',
    capacity: typeof capacity === 'object' ? formatCapacities(capacity) : String(capacity ?? ''),
    holidays: (input.holidays ?? []).join(', '),
    closures: formatClosures(input.closures ?? []),
    calendar: formatDayKinds(input.calendar ?? []),
    external_id: run.external_id ?? '',
  }
}

/** Converts the values to the body of a new run, which the schema of the contract then validates. */
export const forecastForm = z.custom<ForecastValues>().transform((values, context): NewForecast => {
  const fail = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  /** Reads a text that is optional. */
  const read = <Result>(field: keyof ForecastValues, text: string, parse: (text: string) => Result) => {
    if (text.trim() === '') return {}
    try {
      return { [field]: parse(text) }
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      fail(field, error.message)
      return {}
    }
  }
  const { origin, series, capacity_kind: kind, capacity } = values
  if (kind === 'groups' && capacity.trim() === '') fail('capacity', 'Write a line for each group with a capacity.')
  const body = {
    ...(origin === 'source' ? sourceFields(values) : read('series', series, parseSeries)),
    ...(values.timestamp_format !== '' && { timestamp_format: values.timestamp_format }),
    frequency: values.frequency,
    aggregation: values.aggregation,
    ...(values.measure !== '' && { measure: values.measure }),
    ...(values.min_usable_share !== '' && { min_usable_share: Number(values.min_usable_share) }),
    timezone: values.timezone,
    horizon: Number(values.horizon),
    levels: values.levels.map(Number).toSorted(),
    ...(kind === 'all' && { capacity: Number(capacity) }),
    ...(kind === 'groups' && read('capacity', capacity, parseCapacities)),
    ...read('holidays', values.holidays, parseDates),
    ...read('closures', values.closures, parseClosures),
    ...read('calendar', values.calendar, parseDayKinds),
    ...(values.external_id !== '' && { external_id: values.external_id }),
  }
  const messageOf = (issue: z.core.$ZodRawIssue) => toSentence(describeIssue(issue))
  const parsed = NewForecastRun.safeParse(body, { error: messageOf })
  if (!parsed.success)
    for (const { path, message } of parsed.error.issues) {
      // Of pasted series, the contract asks for a data source if there are none.
      const field = origin === 'paste' && path[0] === 'data_source_id' ? 'series' : String(path[0])
      fail(field, field === 'series' && series.trim() === '' ? 'Paste at least one row.' : toSentence(message))
    }
  return body as NewForecast // the contract has accepted it, or the form has an error
})

function sourceFields({
  data_source_id,
  timestamp_field,
  hour_field,
  value_field,
  more_values,
  group_by,
}: ForecastValues) {
  return {
    data_source_id,
    timestamp_field: hour_field === '' ? timestamp_field : [timestamp_field, hour_field],
    ...(value_field !== '' && {
      value_field: more_values.length === 0 ? value_field : [...new Set([value_field, ...more_values])],
    }),
    ...(group_by.length > 0 && { group_by }),
  }
}

/** Props of the parts of the form. */
export interface FormProps {
  form: UseFormReturn<ForecastValues, unknown, NewForecast>
}
