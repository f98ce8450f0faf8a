import { type PlotBand, plot } from '@wp/cli/plot'
import type { ForecastScore } from './forecast-score.ts'
import type { HourlyCounts } from './hourly-counts.ts'
import type { DemoOutput } from './output.ts'

import type { VerifiedDelivery } from './webhook-receiver.ts'

/** The fields of a forecast series that the demo prints. */
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

/** Plots the last week of counts and the forecast week, with the 80 % interval as a band. */
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
  const { width, hasUnicode, hasColor } = output
  const labelOf =
    width < minimumWidthForDates ? dayName({ weekday: 'short' }) : dayName({ weekday: 'short', day: 'numeric' })
  return [
    `${name}: last week of counts | forecast of the next week with its 80 % interval`,
    ...plot({ history: lastWeek, forecast, width, hasUnicode, hasColor, labelOf }),
  ]
}

/** The width from which the labels of fourteen days have room for dates. */
const minimumWidthForDates = 120

/** Creates a function that labels the first hour of each day. */
function dayName(format: Intl.DateTimeFormatOptions) {
  const name = new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' })
  return (hour: number) => (hour % dayHours === 0 ? name.format(hour * 3_600_000) : undefined)
}

/** Formats the selected model and its backtest accuracy. */
export function formatModel({ model, accuracy, warnings, error }: SeriesSummary): string[] {
  if (error !== undefined) return [`no forecast: ${error.message}`]
  if (model === null) return ['no model']
  const lines = [`model ${model.selected}`]
  if (accuracy !== null)
    lines.push(
      `backtest: WAPE ${percent(accuracy.wape)}, MASE ${number(accuracy.mase)}; ${accuracy.baseline.name} ${percent(accuracy.baseline.wape)}, ${number(accuracy.baseline.mase)}`,
      `intervals: ${percent(accuracy.coverage_80)} of the actual values are in the 80 % interval, ${percent(accuracy.coverage_95)} in the 95 % interval`,
    )
  return [...lines, ...warnings.map((warning) => `note: ${warning}`)]
}

export function formatDelivery({ delivery, signature, attempt, body }: VerifiedDelivery): string[] {
  return [
    `POST ${delivery.event}, attempt ${attempt}, request ${delivery.request_id}`,
    `x-webhook-signature: ${signature}`,
    'verified: the signature is the HMAC-SHA-256 of the raw body with the secret',
    body,
  ]
}

/** Formats the error of a forecast of the held-out week, compared with the weekly naive forecast. */
export function formatScore(name: string, { hours, forecast, naive }: ForecastScore): string[] {
  const difference =
    forecast <= naive ? `${percent(1 - forecast / naive)} less` : `${percent(forecast / naive - 1)} more`
  return [
    `${name}: the last 7 days held out, ${hours} hours compared`,
    `WAPE ${percent(forecast)} of the selected model, ${percent(naive)} of the weekly naive forecast (same hour a week earlier): ${difference}`,
  ]
}

const percent = (share: number | null) => (share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`)
const number = (value: number | null) => (value === null ? 'unknown' : value.toFixed(2))
