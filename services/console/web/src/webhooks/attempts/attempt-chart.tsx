import { useMemo, useState } from 'react'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { formatCount, formatDuration, formatNumber } from '../../ui/format/format.ts'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Unloaded } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Ranges of the chart: how far back, and the interval of a bar. */
const ranges = {
  '24h': { label: '24 hours', ms: 24 * hourMs, interval: 'hour' },
  '7d': { label: '7 days', ms: 7 * dayMs, interval: 'hour' },
  '30d': { label: '30 days', ms: 30 * dayMs, interval: 'day' },
} as const

export type ChartRange = keyof typeof ranges

const rangeOptions = Object.entries(ranges).map(([value, { label }]) => ({ value: value as ChartRange, label })) // its own keys

const views = [
  { value: 'attempts', label: 'Attempts' },
  { value: 'duration', label: 'Duration' },
] as const

const chartHeight = 220
/** Of the legend above the chart. */
const legendHeight = 42

/** Delivered and failed attempts over time, or the durations of those delivered; by minutes without `pollMs`. */
export function AttemptChart({
  webhookId,
  pollMs,
  range,
  onRange,
}: {
  webhookId: string
  pollMs: number | false
  range: ChartRange
  onRange: (range: ChartRange) => void
}) {
  const [view, setView] = useState<(typeof views)[number]['value']>('attempts')
  const { ms, interval } = ranges[range]
  const { data, error, refetch } = useApiQuery(
    ['webhooks', 'statistics', webhookId, range],
    (api, options) => {
      const until = Math.ceil(Date.now() / hourMs) * hourMs
      const query = { interval, since: new Date(until - ms).toISOString(), until: new Date(until).toISOString() }
      return api.webhooks.getStatistics({ params: { webhook_id: webhookId }, query }, options)
    },
    { refetchInterval: pollMs || 60_000 },
  )
  const points = data?.points
  const times = useMemo(() => (points ?? []).map(({ at }) => Date.parse(at)), [points])
  const series = useMemo(
    () => (view === 'attempts' ? attemptSeries(points ?? []) : durationSeries(points ?? [])),
    [points, view],
  )
  return (
    <Card
      title="Attempts over time"
      description={points ? summarize(points) : '\u00a0'}
      actions={
        <>
          <Segmented label="What the chart shows" options={views} value={view} onChange={setView} />
          <Segmented label="Time range" options={rangeOptions} value={range} onChange={onRange} />
        </>
      }
    >
      {error || points === undefined ? (
        <Unloaded error={error} refetch={refetch} height={`${chartHeight + legendHeight}px`} />
      ) : (
        <Chart
          title={view === 'attempts' ? 'Delivered and failed attempts' : 'Duration of delivered attempts'}
          times={times}
          series={series}
          height={chartHeight}
          isStacked={view === 'attempts'}
          formatValue={view === 'attempts' ? formatAttempts : formatDuration}
        />
      )}
    </Card>
  )
}

/** Formats a number of attempts; the axis has no labels between whole numbers. */
const formatAttempts = (count: number): string => (Number.isInteger(count) ? formatNumber(count) : '')

interface Point {
  delivered: number
  failed: number
  latency_p50_ms: number | null
  latency_p95_ms: number | null
}

const attemptSeries = (points: readonly Point[]) =>
  [
    { label: 'Failed', colour: 5, kind: 'bars', values: points.map(({ failed }) => failed) },
    { label: 'Delivered', colour: 2, kind: 'bars', values: points.map(({ delivered }) => delivered) },
  ] as const

const durationSeries = (points: readonly Point[]) =>
  [
    { label: '95 % within', colour: 3, kind: 'dashed', values: points.map((point) => point.latency_p95_ms) },
    { label: 'Median', colour: 1, values: points.map((point) => point.latency_p50_ms) },
  ] as const

function summarize(points: readonly Point[]): string {
  const sum = (outcome: 'delivered' | 'failed') => points.reduce((total, point) => total + point[outcome], 0)
  return `${formatCount(sum('delivered'), 'attempt')} delivered, ${formatCount(sum('failed'), 'attempt')} failed`
}
