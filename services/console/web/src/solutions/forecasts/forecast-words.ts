import type { WordStyle } from '@wp/contracts/local-text'
import { formatRounded } from '../../ui/chart/round-value.ts'
import { formatCount, formatPercent } from '../../ui/format/format.ts'
import { formatInWords } from '../../ui/format/format-time.ts'
import type { Reader } from '../../ui/format/reader.ts'
import { fullShare, type Peak } from './chart-data.ts'
import type { Frequency, RunInput } from './run-input.ts'

const hoursPerDay = 24

/** Says how several values of one step become one. */
export const aggregationWords = {
  sum: 'Add them up',
  mean: 'Their mean',
  max: 'The highest',
  last: 'The latest',
  count: 'Count the rows',
}

/** Describes how far a forecast reaches: `7 days by hour`, `30 days`. */
export function describePeriod(horizon: number, frequency: Frequency): string {
  if (frequency !== 'hour') return formatCount(horizon, frequency)
  const days = horizon / hoursPerDay
  return Number.isInteger(days) ? `${formatCount(days, 'day')} by hour` : formatCount(horizon, 'hour')
}

const levelNote = / If the values are a level, .*$/

/** Returns a note on the data with what to do in the console, where that of the API names its fields. */
export const noteWords = (note: string): string =>
  note.replace(
    levelNote,
    ' Choose “Change and run”, and say there if the values are people present or people arriving.',
  )

/** Returns true if the values that were added up may count people several times: the sum is no number of people. */
export const isDoubtfulSum = (notes: readonly string[]): boolean => notes.some((note) => levelNote.test(note))

/** Returns the word for the values of a run: people, arrivals, or none if that is not known. */
function nounOf({ workplace, measure, value_field: value }: RunInput): 'people' | 'arrivals' | undefined {
  if (workplace !== undefined || measure === 'level') return 'people'
  if (measure === 'flow') return 'arrivals'
  const name = [value ?? ''].flat()[0] ?? ''
  if (/arriv|entr|visit|swipe|check.?in/i.test(name)) return 'arrivals'
  return /people|person|present|occupan|attend|anwesend|belegung/i.test(name) ? 'people' : undefined
}

/** Returns the title of the axis of values: `People present`, `Arrivals by hour`. */
export function axisTitle(input: RunInput): string {
  const { workplace, measure, frequency, value_field: value } = input
  if (workplace?.measure === 'peak' || measure === 'level') return 'People present'
  const noun = nounOf(input)
  if (workplace !== undefined || (noun === 'people' && frequency === 'day')) return 'People a day'
  if (noun !== undefined) return `${noun === 'people' ? 'People' : 'Arrivals'} by ${frequency}`
  return typeof value === 'string' ? value : 'Values'
}

/** A weekday alone is clear for times that are less than a week away. */
const nearMs = 6.5 * 86_400_000

/** Returns a time in words: `Friday at 14:00` within a week from now, else `Friday 4 December at 14:00`. */
function timeInWords(
  time: string,
  { frequency, timezone }: RunInput,
  { locale, now }: Reader & { now: number },
): string {
  const away = Date.parse(time) - now
  const isNear = away > 0 && away < nearMs
  const words = (style: WordStyle) => formatInWords(style, time, { locale, timeZone: timezone })
  if (frequency === 'week') return `the week of ${words('day')}`
  const day = words(isNear ? 'weekday' : 'longDay')
  return frequency === 'hour' ? `${day} at ${words('hour')}` : day
}

/**
 * Describes the busiest step of a forecast: `Busiest: Friday at 14:00, about 44 people, 88 % of capacity`.
 * @param where names the group, if there are several
 * @param demand the people who would come if there were room, where that is known
 * @param first the first word of the sentence
 * @param locale that of the reader
 */
export function describeBusiest(
  { value, time, share }: Peak,
  input: RunInput,
  {
    where,
    demand,
    first = 'Busiest',
    now = Date.now(),
    locale,
  }: { where?: string | undefined; demand?: number | undefined; first?: string; now?: number } & Reader = {},
): string {
  const noun = nounOf(input)
  const amount = `${formatRounded(value)}${noun === undefined ? '' : ` ${noun}`}`
  const when = [where, timeInWords(time, input, { locale, now })].filter(Boolean).join(', ')
  if (share === null) return `${first}: ${when}, about ${amount}`
  if (share < fullShare) return `${first}: ${when}, about ${amount}, ${formatPercent(share)} of capacity`
  const isMore = demand !== undefined && demand > value && formatRounded(demand) !== formatRounded(value)
  const wanted = isMore ? `; at its peak about ${formatRounded(demand)} would come` : ''
  const since = `${input.frequency === 'week' ? 'in' : 'on'} ${timeInWords(time, input, { locale, now })}`
  return `${first}: ${[where, `full with ${amount}, first ${since}`].filter(Boolean).join(', ')}${wanted}`
}

interface Score {
  mase: number | null
  wape: number | null
}

/**
 * Returns how much smaller the error of the forecast is than that of the naive forecast, as a share; negative if it is
 * larger. By MASE, which is defined for series with zeros, or else by WAPE.
 */
export function improvementOver(accuracy: Score, baseline: Score): number | null {
  for (const measure of ['mase', 'wape'] as const) {
    const [own, naive] = [accuracy[measure], baseline[measure]]
    if (own !== null && naive !== null && naive > 0) return 1 - own / naive
  }
  return null
}

/** Describes an improvement in words: `22 % better than repeating the past`. */
export function describeImprovement(improvement: number | null): string {
  if (improvement === null) return 'Not comparable with repeating the past'
  if (Math.round(100 * improvement) === 0) return 'As good as repeating the past'
  return `${formatPercent(Math.abs(improvement))} ${improvement > 0 ? 'better' : 'worse'} than repeating the past`
}

/** Formats an error as a share of the values: whole percents, below 3 % with one decimal. */
export const formatError = (wape: number): string => formatPercent(wape, wape < 0.03 ? 1 : 0)

export const wapeMeaning =
  'Weighted absolute percentage error: the sum of the errors as a share of the sum of the values'
export const maseMeaning =
  'Mean absolute scaled error: 1 is as far off as repeating the past was over the history, and less is better'

/** Describes the share of values that were inside an interval. */
export const describeCoverage = (coverage: number): string => `${formatPercent(coverage)} of the values were inside`

const modelNames: Readonly<Record<string, string>> = {
  seasonal_naive_week: 'Same time last week (naive)',
  seasonal_naive_day: 'Same time the day before (naive)',
  seasonal_naive_year: 'Same week last year (naive)',
  naive: 'Last value (naive)',
  weekly_profile: 'Weekly profile',
  weekly_profile_level: 'Weekly profile with current level',
  recent_median: 'Median of recent weeks',
  combination: 'All models together',
  weekly_profile_ar: 'Weekly profile with autoregression',
  weekly_profile_ar_sqrt: 'Weekly profile with autoregression, of square roots',
  online_profile_ar: 'Adapting profile with autoregression',
  daily_difference_ar: 'Autoregression of differences from the day before',
  weekly_difference_ar: 'Autoregression of differences from the week before',
  median_of_years: 'Median of the same week of past years',
  // Runs before these models may have the following ones.
  ets: 'Exponential smoothing (ETS)',
  mstl_ets: 'Seasonal decomposition with smoothing (MSTL, ETS)',
}

/** Returns the name of a model for people. A combination is named by its parts. */
export function modelName(name: string): string {
  const known = modelNames[name]
  if (known !== undefined) return known
  const parts = /^mean_of_(.+)_and_(.+)$/.exec(name)
  const words = (part: string) => (modelNames[part] ?? part.replaceAll('_', ' ')).toLowerCase()
  if (parts?.[1] && parts[2]) return `Mean of ${words(parts[1])} and ${words(parts[2])}`
  return name.replaceAll('_', ' ')
}

type Model = NonNullable<import('./run-input.ts').ForecastSeries['model']>

/** Tells how the forecast follows from its models. */
export function describeChoice({ selected, candidates }: Model): string {
  if (selected === 'combination')
    return 'The forecast is the mean of all models, in which a model with smaller errors counts more.'
  const errorOf = ({ mase, wape }: Score) => mase ?? wape ?? Number.POSITIVE_INFINITY
  const own = candidates.find(({ name }) => name === selected)
  const isBest = own !== undefined && candidates.every((other) => errorOf(own) <= errorOf(other))
  return isBest ? 'The model with the smallest error makes the forecast.' : 'One of the models makes the forecast.'
}
