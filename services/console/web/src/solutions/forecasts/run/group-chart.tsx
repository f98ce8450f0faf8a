import { useMemo } from 'react'
import { Chart } from '../../../ui/chart/chart.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { groupChart, overlayChart } from '../chart-data.ts'
import { groupName } from '../groups.ts'
import { capacityOf, type ForecastRunDetail, type ForecastSeries, runInput } from '../run-input.ts'
import type { GroupHistory } from '../use-histories.ts'
import styles from './forecast.module.css'
import { useStepFormat } from './step-time.tsx'

const noSteps: readonly never[] = []
const formatValue = (value: number) =>
  new Intl.NumberFormat('en', { maximumFractionDigits: Math.abs(value) >= 10 ? 0 : 1 }).format(value)

/** The forecast of one group with its history, intervals and capacity. */
export function GroupChart({
  run,
  series,
  past,
  isSmall = false,
}: {
  run: ForecastRunDetail
  series: ForecastSeries
  past: GroupHistory | undefined
  /** One of several charts beside each other. */
  isSmall?: boolean
}) {
  const input = runInput(run)
  const format = useStepFormat(input.timezone, input.frequency)
  const formatTime = (time: number) => format.format(time)
  const capacity = capacityOf(input, series.key)
  const steps = past?.history?.steps ?? noSteps
  const { times, series: lines } = useMemo(() => groupChart(series, steps, capacity), [series, steps, capacity])
  const start = series.points[0]?.ts
  const name = groupName(series.key)
  if (series.error)
    return (
      <Callout tone="warning" title={`${isolate(name)} has no forecast`}>
        {series.error.message}
      </Callout>
    )
  return (
    <div>
      <Chart
        title={`Forecast of ${name}`}
        times={times}
        series={lines}
        height={isSmall ? 180 : 320}
        timeZone={input.timezone}
        formatValue={formatValue}
        formatTime={formatTime}
        {...(isSmall && { syncKey: run.id, heading: <h3>{name}</h3> })}
        marker={start !== undefined && steps.length > 0 ? { time: Date.parse(start), label: 'Forecast' } : undefined}
      />
      <HistoryNote past={past} isInline={input.data_source_id === undefined} />
    </div>
  )
}

/** The forecasts of several groups in one chart. */
export function OverlayChart({
  run,
  groups,
}: {
  run: ForecastRunDetail
  groups: readonly { series: ForecastSeries; past: GroupHistory | undefined }[]
}) {
  const input = runInput(run)
  const format = useStepFormat(input.timezone, input.frequency)
  const formatTime = (time: number) => format.format(time)
  const usable = groups.filter(({ series }) => series.points.length > 0)
  const { times, series } = useMemo(
    () =>
      overlayChart(usable.map((group) => ({ series: group.series, history: group.past?.history?.steps ?? noSteps }))),
    [usable],
  )
  const start = usable[0]?.series.points[0]?.ts
  return (
    <Chart
      title={`Forecasts of ${formatCount(usable.length, 'group')}`}
      times={times}
      series={series}
      height={340}
      timeZone={input.timezone}
      formatValue={formatValue}
      formatTime={formatTime}
      marker={start === undefined ? undefined : { time: Date.parse(start), label: 'Forecast' }}
    />
  )
}

/** Says where the history comes from, and what is missing of it. */
function HistoryNote({ past, isInline }: { past: GroupHistory | undefined; isInline: boolean }) {
  return (
    <p className={styles.note} role="status">
      {historyText(past, isInline)}
    </p>
  )
}

function historyText(past: GroupHistory | undefined, isInline: boolean): string {
  if (past === undefined) return ''
  if (past.error) return 'The history could not be read from the data source.'
  const { history, isReading } = past
  if (isReading)
    return history === undefined ? 'Reading the history' : `Reading the history: ${history.records} records so far`
  if (history?.isCut && !isInline)
    return `The time before this forecast has more than ${formatCount(history.records, 'record')}, too many to show here.`
  if (history === undefined || history.steps.length === 0)
    return isInline
      ? 'The history of pasted series is shown only in the browser tab that started the forecast.'
      : 'The data source has no readable history before this forecast.'
  if (isInline) return ''
  return `History: ${formatCount(history.records, 'record')} as stored now.`
}
