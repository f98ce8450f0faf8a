import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ChartSeries } from '../../../ui/chart/chart-data.ts'
import { Legend } from '../../../ui/chart/chart-parts.tsx'
import { Select } from '../../../ui/form/controls.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { Segmented } from '../../../ui/menu/tabs.tsx'
import { Callout } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { groupChart } from '../chart-data.ts'
import { type Group, rankGroups } from '../rank-groups.ts'
import { type ForecastRunDetail, runInput } from '../run-input.ts'
import { useHistories } from '../use-histories.ts'
import { Comparison } from './comparison.tsx'
import styles from './forecast.module.css'
import { GroupChart, OverlayChart } from './group-chart.tsx'
import { GroupDetails } from './group-details.tsx'
import { LaterAccuracy } from './later-accuracy.tsx'

const route = getRouteApi('/$workspaceId/forecasts/$runId')

/** The result of a run: the chart of the selected groups, their comparison, and how good the forecast is. */
export function FinishedRun({ run }: { run: ForecastRunDetail }) {
  const { groups: keys, detail } = route.useSearch()
  const groups = useMemo(() => rankGroups(run), [run])
  const chosen = groups.filter(({ key }) => keys?.includes(key))
  const shown = chosen.length > 0 ? chosen : groups.slice(0, 1)
  const detailed = shown.find(({ key }) => key === detail) ?? shown[0]
  if (detailed === undefined) return <Callout title="The forecast has no groups">The data source had no rows.</Callout>
  const failed = groups.filter(({ series }) => series.error !== undefined)
  return (
    <>
      {failed.length > 0 && groups.length > 1 && (
        <Callout tone="warning" title={`${formatCount(failed.length, 'group')} of ${groups.length} without a forecast`}>
          {failed[0]?.name}: {failed[0]?.series.error?.message}
        </Callout>
      )}
      <ChartCard run={run} shown={shown} />
      {groups.length > 1 && <Comparison groups={groups} selected={shown.map(({ key }) => key)} input={runInput(run)} />}
      {shown.length > 1 && <DetailChoice shown={shown} value={detailed.key} />}
      <GroupDetails group={detailed} isOnly={groups.length === 1} />
      {runInput(run).data_source_id !== undefined && <LaterAccuracy run={run} />}
    </>
  )
}

function ChartCard({ run, shown }: { run: ForecastRunDetail; shown: readonly Group[] }) {
  const { view, ...others } = route.useSearch()
  const navigate = route.useNavigate()
  const histories = useHistories(
    run,
    shown.map(({ series }) => series),
  )
  const [first] = shown
  const isOverlay = view === 'overlay'
  return (
    <Card
      title={shown.length === 1 && first ? first.name : formatCount(shown.length, 'group')}
      description={`Times in ${runInput(run).timezone}`}
      actions={
        shown.length > 1 && (
          <Segmented
            label="Charts"
            options={[
              { value: 'multiples', label: 'Side by side' },
              { value: 'overlay', label: 'One chart' },
            ]}
            value={isOverlay ? 'overlay' : 'multiples'}
            onChange={(value) =>
              void navigate({
                search: value === 'overlay' ? { ...others, view: 'overlay' } : others,
                replace: true,
                resetScroll: false,
              })
            }
          />
        )
      }
    >
      {shown.length === 1 && first ? (
        <GroupChart key={first.key} run={run} series={first.series} past={histories[0]} />
      ) : isOverlay ? (
        <OverlayChart run={run} groups={shown.map(({ series }, index) => ({ series, past: histories[index] }))} />
      ) : (
        <div className={styles.multiples}>
          <div className={styles.legend}>
            <Legend series={legendOf(shown)} />
          </div>
          {shown.map(({ key, series }, index) => (
            <GroupChart key={key} run={run} series={series} past={histories[index]} isSmall />
          ))}
        </div>
      )}
    </Card>
  )
}

/** Returns the lines that the charts of some groups have in common. */
const legendOf = (shown: readonly Group[]): ChartSeries[] => {
  const [first] = shown
  const hasCapacity = shown.some(({ peak }) => peak !== null && peak.share !== null)
  return groupChart(first?.series ?? { points: [] }, [{ time: 0, value: 0 }], hasCapacity ? 1 : undefined).series
}

function DetailChoice({ shown, value }: { shown: readonly Group[]; value: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div style={{ maxWidth: '20rem' }}>
      <Field label="Details of">
        <Select
          value={value}
          options={shown.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={({ target }) =>
            void navigate({ search: { ...search, detail: target.value }, replace: true, resetScroll: false })
          }
        />
      </Field>
    </div>
  )
}
