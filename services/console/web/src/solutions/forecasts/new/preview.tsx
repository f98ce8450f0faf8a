import { useMemo } from 'react'
import { useApi, useApiQuery, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Chart } from '../../../ui/chart/chart.tsx'
import type { ChartSeries } from '../../../ui/chart/chart-data.ts'
import { formatCount } from '../../../ui/format/format.ts'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { aggregate, type StepValue } from '../aggregate.ts'
import { groupName, maxComparedGroups } from '../groups.ts'
import { readHistory } from '../read-history.ts'
import type { Aggregation, Frequency, NewForecast } from '../run-input.ts'
import type { FormProps } from './forecast-form.ts'
import { LineError } from './forecast-text.ts'
import { parseSeries } from './parse-series.ts'
import { useGroupSample } from './use-group-sample.ts'

/** As many records as show whether the columns are the right ones. */
const previewPages = 3
const previewHeight = 200

/** The newest values of one group of the chosen columns. */
export function SourcePreview({ form }: FormProps) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const [sourceId, time, value, groupBy, format, hour] = form.watch([
    ...(['data_source_id', 'timestamp_field', 'value_field', 'group_by', 'timestamp_format', 'hour_field'] as const),
  ])
  // Times of another format, or of two columns, are read by the forecast alone.
  const isReadable = format === '' && hour === ''
  const steps = useSteps(form)
  const sample = useGroupSample(api, workspaceId, { sourceId, time, groupBy })
  const key = sample.data
  const { data, error } = useApiQuery(
    ['forecast-preview', sourceId, time, value, key, steps],
    (api, { signal }) =>
      readHistory(
        api,
        { sourceId, timestampField: time, valueField: value, key: key ?? {}, maxPages: previewPages, ...steps },
        signal,
        () => {},
      ),
    { enabled: key !== undefined && value !== '' && isReadable, retry: false },
  )
  if (sourceId === '' || time === '' || value === '' || !isReadable) return null
  const failure = sample.error ?? error
  return (
    <Card
      title="Preview"
      description={
        data && key
          ? `The newest ${formatCount(data.records, 'record')} of ${groupBy.length === 0 ? 'the source' : groupName(key)} by ${steps.frequency}`
          : undefined
      }
    >
      {failure ? (
        <ErrorMessage error={failure} />
      ) : data === undefined ? (
        <Skeleton height={`${previewHeight}px`} />
      ) : data.steps.length < 2 ? (
        <p role="status">
          These records have too few readable times and numbers for a chart: check the columns, or state the time
          format.
        </p>
      ) : (
        <StepChart
          title={`History: ${value}`}
          groups={[{ label: value, steps: data.steps }]}
          timeZone={steps.timezone}
        />
      )}
    </Card>
  )
}

/** The values of the pasted rows. */
export function PastePreview({ form }: FormProps) {
  const [text, format] = form.watch(['series', 'timestamp_format'])
  const steps = useSteps(form)
  const series = useMemo(() => parseOrNothing(text), [text])
  const groups = useMemo(
    () =>
      series.slice(0, maxComparedGroups).map(({ key = {}, points }) => ({
        label: groupName(key),
        steps: aggregate(points, steps),
      })),
    [series, steps],
  )
  if (series.length === 0 || format !== '' || groups.every((group) => group.steps.length < 2)) return null
  const points = series.reduce((sum, one) => sum + one.points.length, 0)
  return (
    <Card title="Preview" description={`${formatCount(points, 'row')}, ${formatCount(series.length, 'group')}`}>
      <StepChart title="History of the pasted rows" groups={groups} timeZone={steps.timezone} />
    </Card>
  )
}

function StepChart({
  title,
  groups,
  timeZone,
}: {
  title: string
  groups: readonly { label: string; steps: readonly StepValue[] }[]
  timeZone: string
}) {
  const { times, series } = useMemo(() => {
    const columns = groups.map(({ steps }) => new Map(steps.map(({ time, value }) => [time, value])))
    const all = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted((left, right) => left - right)
    const lines = groups.map(
      ({ label }, index): ChartSeries => ({
        label,
        values: all.map((time) => columns[index]?.get(time) ?? null),
        colour: ([1, 2, 3, 4, 5, 6] as const)[index % maxComparedGroups] ?? 1,
      }),
    )
    return { times: all, series: lines }
  }, [groups])
  return <Chart title={title} times={times} series={series} height={previewHeight} timeZone={timeZone} />
}

/** A row that cannot be read is reported by the form when it is sent. */
function parseOrNothing(text: string): NonNullable<NewForecast['series']> {
  try {
    return parseSeries(text)
  } catch (error) {
    if (error instanceof LineError) return []
    throw error
  }
}

/** Returns how values are combined into steps; UTC until the time zone is a known one. */
function useSteps(form: FormProps['form']) {
  const [frequency, aggregation, timezone] = form.watch(['frequency', 'aggregation', 'timezone'])
  return useMemo(
    () => ({
      frequency: frequency as Frequency, // the options of its control
      aggregation: aggregation as Aggregation, // the options of its control
      timezone: isTimeZone(timezone) ? timezone : 'UTC',
    }),
    [frequency, aggregation, timezone],
  )
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
