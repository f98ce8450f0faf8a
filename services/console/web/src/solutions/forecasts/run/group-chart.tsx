import { useMemo } from 'react'
import { Chart } from '../../../ui/chart/chart.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { groupChart, overlayChart, type StepValue } from '../chart-data.ts'
import { axisTitle } from '../forecast-words.ts'
import type { Group } from '../rank-groups.ts'
import { type ForecastRunDetail, type ForecastSeries, runInput } from '../run-input.ts'
import { useStepFormat } from './step-time.tsx'

/** The forecast of one group with its history, range and capacity. */
export function GroupChart({
  run,
  group: { name, series, capacity },
  history,
  level,
  isReadingHistory,
  isSmall = false,
}: {
  run: ForecastRunDetail
  group: Group
  history: readonly StepValue[]
  level: number | undefined
  isReadingHistory: boolean
  /** One of several charts beside each other. */
  isSmall?: boolean
}) {
  const input = runInput(run)
  const format = useStepFormat(input.timezone, input.frequency)
  const { times, series: lines } = useMemo(
    () => groupChart(series, history, { capacity, level, hasHistory: isReadingHistory || history.length > 0 }),
    [series, history, capacity, level, isReadingHistory],
  )
  const start = series.points[0]?.ts
  if (series.error)
    return (
      <Callout tone="warning" title={`${isolate(name)} has no forecast`}>
        {series.error.message}
      </Callout>
    )
  return (
    <Chart
      title={`Forecast of ${name}`}
      times={times}
      series={lines}
      height={isSmall ? 200 : 340}
      timeZone={input.timezone}
      unit={axisTitle(input)}
      formatTime={format}
      {...(isSmall && { syncKey: run.id, heading: <h3>{name}</h3> })}
      marker={start !== undefined && history.length > 0 ? { time: Date.parse(start), label: 'Forecast' } : undefined}
    />
  )
}

/** The forecasts of several groups in one chart. */
export function OverlayChart({
  run,
  groups,
}: {
  run: ForecastRunDetail
  groups: readonly { series: ForecastSeries; history: readonly StepValue[] }[]
}) {
  const input = runInput(run)
  const format = useStepFormat(input.timezone, input.frequency)
  const usable = groups.filter(({ series }) => series.points.length > 0)
  const { times, series } = useMemo(() => overlayChart(usable), [usable])
  const start = usable[0]?.series.points[0]?.ts
  return (
    <Chart
      title={`Forecasts of ${formatCount(usable.length, 'group')}`}
      times={times}
      series={series}
      height={340}
      timeZone={input.timezone}
      unit={axisTitle(input)}
      formatTime={format}
      marker={start === undefined ? undefined : { time: Date.parse(start), label: 'Forecast' }}
    />
  )
}
