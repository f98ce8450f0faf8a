import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Meter } from '@wp/contracts'
import { useMemo } from 'react'
import { changeSearch } from '../api/search-params.ts'
import { useApiQuery } from '../session/workspace-context.tsx'
import { Chart } from '../ui/chart/chart.tsx'
import { Select } from '../ui/form/controls.tsx'
import { formatNumber } from '../ui/format/format.ts'
import { useWordFormat } from '../ui/format/format-time.ts'
import { Segmented } from '../ui/menu/tabs.tsx'
import { Unloaded } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import { meterNames, type UsageRange, type UsageStep, usageMeters, usageRanges } from './choices.ts'
import styles from './usage.module.css'
import { fillSteps, rangeQuery, stepsOf } from './usage-range.ts'

const route = getRouteApi('/$workspaceId/usage')

/** Names of the ranges. */
const rangeNames = {
  period: 'This period',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '365d': 'A year',
} as const satisfies Record<(typeof usageRanges)[number], string>

const stepNames = { hour: 'By hour', day: 'By day', month: 'By month' } as const satisfies Record<UsageStep, string>

/** The use of one meter over time, in UTC as it is counted. */
export function UsageChartCard() {
  const search = route.useSearch()
  const meter: Meter = search.meter ?? 'api_calls'
  const range: UsageRange = search.range ?? '30d'
  const steps = stepsOf(range)
  const step: UsageStep = steps.find((candidate) => candidate === search.step) ?? 'day'
  const navigate = route.useNavigate()
  const { data, error, refetch } = useApiQuery(
    ['usage', 'series', { meter, range, step }],
    async (api, options) => {
      const query = { ...rangeQuery(range, Date.now()), meter, group_by: step }
      return { ...(await api.billing.getUsage({ query }, options)), meter, step }
    },
    { placeholderData: keepPreviousData },
  )
  const formatStep = useWordFormat(stepStyles[data?.step ?? step], 'UTC')
  const series = useMemo(() => data && fillSteps(data.groups, data.period, data.step, Date.now()), [data])
  const set = (change: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) =>
    void navigate({ search: changeSearch(search, change), replace: true, resetScroll: false })
  return (
    <Card title="Use over time" description="Times are in UTC, as use is counted.">
      <div className={styles.controls}>
        <Select
          aria-label="Meter"
          value={meter}
          options={usageMeters.map((value) => ({ value, label: meterNames[value] }))}
          onChange={({ target }) => set({ meter: usageMeters.find((value) => value === target.value) })}
        />
        <Select
          aria-label="Time range"
          value={range}
          options={usageRanges.map((value) => ({ value, label: rangeNames[value] }))}
          onChange={({ target }) => set({ range: usageRanges.find((value) => value === target.value) })}
        />
        <Segmented
          label="Step"
          value={step}
          options={steps.map((value) => ({ value, label: stepNames[value] }))}
          onChange={(value) => set({ step: value })}
        />
        {series && (
          <span className={styles.total}>
            <strong>{formatNumber(series.quantities.reduce((sum, quantity) => sum + quantity, 0))}</strong> in total
          </span>
        )}
      </div>
      {error || data === undefined || series === undefined ? (
        <Unloaded error={error} refetch={refetch} height="16rem" />
      ) : (
        <Chart
          title={`${meterNames[data.meter]}, ${stepNames[data.step].toLowerCase()}`}
          times={series.times}
          series={[{ label: meterNames[data.meter], values: series.quantities, colour: 1, kind: 'bars' }]}
          formatValue={formatNumber}
          formatTime={formatStep}
          timeZone="UTC"
        />
      )}
    </Card>
  )
}

const stepStyles = { hour: 'shortTime', day: 'shortWeekday', month: 'month' } as const
