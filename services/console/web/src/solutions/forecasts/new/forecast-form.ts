import { describeIssue, NewForecastRun } from '@wp/contracts'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { toSentence } from '../../../ui/form/server-field-errors.ts'
import { numberProblem, parseNumber } from '../../../ui/format/number-signs.ts'
import type { NewForecast } from '../run-input.ts'
import { LineError, parseClosures, parseDates, parseDayKinds } from './forecast-text.ts'
import type { ForecastValues } from './forecast-values.ts'
import { parseSeries } from './parse-series.ts'

/** Converts the values to the body of a new run, which the schema of the contract then validates. */
export const forecastForm = z.custom<ForecastValues>().transform((values, context): NewForecast => {
  const fail = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  /** Reads a text that is optional. */
  const read = <Result>(field: string, text: string, parse: (text: string) => Result, path = [field]) => {
    if (text.trim() === '') return {}
    try {
      return { [field]: parse(text) }
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      fail(path, error.message)
      return {}
    }
  }
  const { what, series } = values
  const isOfWorkplace = what === 'building' || what === 'teams'
  const common = {
    frequency: values.frequency,
    timezone: values.timezone,
    horizon: parseNumber(values.horizon),
    levels: values.levels.map(Number).toSorted(),
    ...(values.external_id !== '' && { external_id: values.external_id }),
  }
  const workplace = () => {
    const { space_id, team_id, level, measure, add, remove, use_bookings } = values.workplace
    const holidays = {
      ...read('add', add, parseDates, ['workplace', 'add']),
      ...read('remove', remove, parseDates, ['workplace', 'remove']),
    }
    return {
      ...(what === 'building' && space_id !== '' && { space_id }),
      ...(what === 'teams' && team_id !== '' && { team_id }),
      level: what === 'teams' ? 'team' : level,
      measure: what === 'teams' ? 'attendance' : measure,
      ...(Object.keys(holidays).length > 0 && { holidays }),
      use_bookings,
    }
  }
  const ofRows = () => ({
    ...(what === 'file' ? sourceFields(values) : read('series', series, parseSeries)),
    ...(values.timestamp_format !== '' && { timestamp_format: values.timestamp_format }),
    aggregation: values.aggregation,
    ...(values.measure !== '' && { measure: values.measure }),
    ...(values.min_usable_share !== '' && { min_usable_share: parseNumber(values.min_usable_share) }),
    ...capacityOf(values),
    ...read('holidays', values.holidays, parseDates),
    ...read('closures', values.closures, parseClosures),
    ...read('calendar', values.calendar, parseDayKinds),
  })
  const body = { ...common, ...(isOfWorkplace ? { workplace: workplace() } : ofRows()) }
  const messageOf = (issue: z.core.$ZodRawIssue) => toSentence(describeIssue(issue))
  const parsed = NewForecastRun.safeParse(body, { error: messageOf })
  if (!parsed.success)
    for (const { path, message } of parsed.error.issues) {
      // Of pasted series, the contract asks for a data source if there are none.
      const field = what === 'paste' && path[0] === 'data_source_id' ? 'series' : String(path[0])
      const own = field === 'workplace' ? path.slice(0, 2) : [field]
      fail(own, messages[field]?.(values) ?? toSentence(message))
    }
  return body as NewForecast // the contract has accepted it, or the form has an error
})

/** Messages in place of those of the contract, which name no control of the form. */
const messages: Readonly<Record<string, (values: ForecastValues) => string | undefined>> = {
  capacity: ({ capacity, capacities }) =>
    [capacity, ...capacities.map(({ value }) => value)].map(numberProblem).find((problem) => problem !== undefined),
  data_source_id: ({ data_source_id: source }) => (source === '' ? 'Choose a file.' : undefined),
  value_field: ({ value_field: value }) => (value === '' ? 'Choose a value.' : undefined),
  series: ({ series }) => (series.trim() === '' ? 'Paste at least one row.' : undefined),
}

/** Returns the capacities of groups, or the one of all where no group has its own. */
function capacityOf({ capacity, capacities, group_by: groups, more_values: columns, what }: ForecastValues) {
  const own = capacities.filter(({ group, value }) => group !== '' && value.trim() !== '')
  const hasGroups = what === 'paste' || groups.length > 0 || columns.length > 0
  if (hasGroups && own.length > 0)
    return { capacity: Object.fromEntries(own.map(({ group, value }) => [group, parseNumber(value)])) }
  return capacity.trim() === '' ? {} : { capacity: parseNumber(capacity) }
}

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
