import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ChartSeries } from '../../../ui/chart/chart-data.ts'
import { Legend } from '../../../ui/chart/chart-parts.tsx'
import { Select } from '../../../ui/form/controls.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { Segmented } from '../../../ui/menu/tabs.tsx'
import { Callout, Skeleton } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { groupChart, levelsOf, shownLevel } from '../chart-data.ts'
import { type Group, rankGroups } from '../rank-groups.ts'
import { type ForecastRunDetail, runInput } from '../run-input.ts'
import { useSpaces } from '../use-names.ts'
import { useRunHistory } from '../use-run-history.ts'
import { Comparison } from './comparison.tsx'
import styles from './forecast.module.css'
import { GroupChart, OverlayChart } from './group-chart.tsx'
import { GroupDetails } from './group-details.tsx'
import { Headline } from './headline.tsx'
import { LaterAccuracy } from './later-accuracy.tsx'
import { RunRecommendations, useRunRecommendations } from './run-recommendations.tsx'
import { WorkplaceNotes } from './workplace-notes.tsx'

const route = getRouteApi('/$workspaceId/forecasts/$runId')

/** The result of a run: a sentence, the chart of the selected groups, what to do about it, and how accurate it is. */
export function FinishedRun({ run }: { run: ForecastRunDetail }) {
  const { groups: keys, detail } = route.useSearch()
  const capacities = useSpaceCapacities(run)
  const groups = useMemo(() => rankGroups(run, capacities), [run, capacities])
  const recommendations = useRunRecommendations(run.id)
  const history = useRunHistory(run)
  const chosen = groups.filter(({ key }) => keys?.includes(key))
  const shown = chosen.length > 0 ? chosen : groups.slice(0, 1)
  const detailed = shown.find(({ key }) => key === detail) ?? shown[0]
  if (detailed === undefined) return <Callout title="The forecast has no groups">The file had no rows.</Callout>
  // The sentence contains the demand that they tell; a longer one would move the page.
  if (recommendations.isLoading) return <LoadingResult />
  const failed = groups.filter(({ series }) => series.error !== undefined)
  return (
    <>
      {run.stale && (
        <Callout tone="warning" title="Decide nothing by this forecast">
          {run.warnings?.[0]} Forecast again.
        </Callout>
      )}
      <Headline run={run} groups={groups} recommendations={recommendations.data?.items ?? []} />
      {failed.length > 0 && groups.length > 1 && (
        <Callout tone="warning" title={`${formatCount(failed.length, 'group')} of ${groups.length} without a forecast`}>
          {failed[0]?.name}: {failed[0]?.series.error?.message}
        </Callout>
      )}
      <ChartCard run={run} shown={shown} />
      <RunRecommendations run={run} recommendations={recommendations} />
      {groups.length > 1 && <Comparison groups={groups} selected={shown.map(({ key }) => key)} input={runInput(run)} />}
      {shown.length > 1 && <DetailChoice shown={shown} value={detailed.key} />}
      <GroupDetails
        group={detailed}
        frequency={runInput(run).frequency}
        isOnly={groups.length === 1}
        note={history.note}
      />
      <WorkplaceNotes run={run} />
      {runInput(run).data_source_id !== undefined && <LaterAccuracy run={run} />}
    </>
  )
}

/** The outline of a result that is being loaded. */
export const LoadingResult = () => (
  <Card>
    <div role="status" aria-label="Loading the forecast" style={{ display: 'grid', gap: 'var(--space-3)' }}>
      <Skeleton width="40%" />
      <Skeleton height="50rem" />
    </div>
  </Card>
)

const noCapacities: ReadonlyMap<string, number> = new Map()

/** Returns the capacities of spaces if the run forecasts how many are present at a moment, which they limit. */
function useSpaceCapacities(run: ForecastRunDetail): ReadonlyMap<string, number> {
  const isOfMoments = runInput(run).workplace?.measure === 'peak'
  const spaces = useSpaces(isOfMoments).data?.items
  return useMemo(
    () =>
      isOfMoments && spaces !== undefined
        ? new Map(spaces.flatMap(({ id, capacity }) => (capacity === null ? [] : [[id, capacity] as const])))
        : noCapacities,
    [isOfMoments, spaces],
  )
}

function ChartCard({ run, shown }: { run: ForecastRunDetail; shown: readonly Group[] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const history = useRunHistory(run)
  const [first] = shown
  const isOverlay = search.view === 'overlay' && shown.length > 1
  const levels = first === undefined ? [] : levelsOf(first.series)
  const level = first && shownLevel(first.series, search.range)
  const change = ({ view, range }: { view: 'overlay' | undefined; range: number | undefined }) => {
    const { view: _view, range: _range, ...others } = search
    const next = { ...others, ...(view !== undefined && { view }), ...(range !== undefined && { range }) }
    void navigate({ search: next, replace: true, resetScroll: false })
  }
  return (
    <Card
      title={shown.length === 1 && first ? first.name : formatCount(shown.length, 'group')}
      description={`Times in ${runInput(run).timezone}`}
      actions={
        <>
          {levels.length > 1 && level !== undefined && !isOverlay && (
            <Segmented
              label="Range"
              options={levels.toReversed().map((one) => ({ value: String(one), label: `${one}\u00a0%` }))}
              value={String(level)}
              onChange={(value) => change({ view: search.view, range: Number(value) })}
            />
          )}
          {shown.length > 1 && (
            <Segmented
              label="Charts"
              options={[
                { value: 'multiples', label: 'Side by side' },
                { value: 'overlay', label: 'One chart' },
              ]}
              value={isOverlay ? 'overlay' : 'multiples'}
              onChange={(value) => change({ view: value === 'overlay' ? value : undefined, range: search.range })}
            />
          )}
        </>
      }
    >
      {shown.length === 1 && first ? (
        <GroupChart
          key={first.key}
          run={run}
          group={first}
          history={history.ofGroup(first.key)}
          isReadingHistory={history.isReading}
          level={level}
        />
      ) : isOverlay ? (
        <OverlayChart run={run} groups={shown.map(({ key, series }) => ({ series, history: history.ofGroup(key) }))} />
      ) : (
        <div className={styles.multiples}>
          <div className={styles.legend}>
            <Legend series={legendOf(shown, level)} />
          </div>
          {shown.map((group) => (
            <GroupChart
              key={group.key}
              run={run}
              group={group}
              history={history.ofGroup(group.key)}
              isReadingHistory={history.isReading}
              level={level}
              isSmall
            />
          ))}
        </div>
      )}
      <p className={styles.note} role="status">
        {history.isReading ? 'Reading the history' : history.note}
      </p>
    </Card>
  )
}

/** Returns the lines that the charts of some groups have in common. */
const legendOf = ([first]: readonly Group[], level: number | undefined): ChartSeries[] =>
  groupChart(first?.series ?? { points: [] }, [{ time: 0, value: 0 }], { level }).series

function DetailChoice({ shown, value }: { shown: readonly Group[]; value: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div style={{ maxWidth: '20rem' }}>
      <Field label="Accuracy of">
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
