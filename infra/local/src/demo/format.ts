import type { ForecastScore } from './forecast-score.ts'
import type { HourlyCounts } from './hourly-counts.ts'
import type { DemoOutput } from './output.ts'
import { type PlotBand, plot } from './plot.ts'
import type { VerifiedDelivery } from './webhook-receiver.ts'

/** What the demo shows of a forecast series. */
export interface SeriesSummary {
  model: { selected: string } | null
  accuracy: {
    mase: number | null
    wape: number | null
    coverage_80: number | null
    coverage_95: number | null
    baseline: { name: string; mase: number | null; wape: number | null }
  } | null
  warnings: string[]
  error?: { code: string; message: string } | undefined
}

const weekHours = 168
const dayHours = 24

/** The last counted week and the forecast one, with the 80 % interval as a band. */
export function formatForecast(
  name: string,
  history: HourlyCounts,
  forecast: readonly PlotBand[],
  output: DemoOutput,
): string[] {
  const begin = forecast[0]?.at ?? 0
  const lastWeek = [...history]
    .filter(([hour]) => hour >= begin - weekHours && hour < begin)
    .map(([at, value]) => ({ at, value }))
    .sort((a, b) => a.at - b.at)
  const { width, hasUnicode: unicode, hasColor: colour } = output
  const label =
    width < minimumWidthForDates ? dayName({ weekday: 'short' }) : dayName({ weekday: 'short', day: 'numeric' })
  return [
    `${name}: the last week counted | the next week forecast, and where 80 % of it should lie`,
    ...plot({ history: lastWeek, forecast, width, unicode, colour, mark: label }),
  ]
}

/** Columns in which fourteen days can be named with their dates. */
const minimumWidthForDates = 120

/** Names the day where a day begins. */
function dayName(format: Intl.DateTimeFormatOptions) {
  const name = new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' })
  return (hour: number) => (hour % dayHours === 0 ? name.format(hour * 3_600_000) : undefined)
}

/** Which model was chosen, and how good it was when the run rehearsed on the weeks before. */
export function formatModel({ model, accuracy, warnings, error }: SeriesSummary): string[] {
  if (error !== undefined) return [`no forecast: ${error.message}`]
  if (model === null) return ['no model']
  const lines = [`model ${model.selected}`]
  if (accuracy !== null)
    lines.push(
      `backtest: WAPE ${percent(accuracy.wape)}, MASE ${number(accuracy.mase)}; ${accuracy.baseline.name} ${percent(accuracy.baseline.wape)}, ${number(accuracy.baseline.mase)}`,
      `intervals: ${percent(accuracy.coverage_80)} of what came lay in the 80 % interval, ${percent(accuracy.coverage_95)} in the 95 %`,
    )
  return [...lines, ...warnings.map((warning) => `note: ${warning}`)]
}

/** A delivery as it came, and that it is genuine. */
export function formatDelivery({ delivery, signature, attempt, body }: VerifiedDelivery): string[] {
  return [
    `POST ${delivery.event}, attempt ${attempt}, request ${delivery.request_id}`,
    `x-webhook-signature: ${signature}`,
    'verified: that is the HMAC-SHA-256 of the raw body under the secret',
    body,
  ]
}

/** How far the forecast of a week that was held back was off, beside what anybody could have said. */
export function formatScore(name: string, { hours, forecast, naive }: ForecastScore): string[] {
  const verdict = forecast <= naive ? `${percent(1 - forecast / naive)} less` : `${percent(forecast / naive - 1)} more`
  return [
    `${name}: the last 7 days held back, ${hours} hours compared`,
    `WAPE ${percent(forecast)} of the chosen model, ${percent(naive)} of the weekly naive (same hour a week earlier): ${verdict}`,
  ]
}

const percent = (share: number | null) => (share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`)
const number = (value: number | null) => (value === null ? 'unknown' : value.toFixed(2))
