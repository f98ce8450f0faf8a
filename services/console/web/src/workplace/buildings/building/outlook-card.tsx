import { useApiQuery, useCan } from '../../../session/workspace-context.tsx'
import { groupChart } from '../../../solutions/forecasts/chart-data.ts'
import { useHistory } from '../../../solutions/forecasts/new/use-history.ts'
import { readRuns } from '../../../solutions/forecasts/read-runs.ts'
import { type ForecastRun, type ForecastRunDetail, isActive, runInput } from '../../../solutions/forecasts/run-input.ts'
import { Link } from '../../../ui/button/button-link.tsx'
import { Chart } from '../../../ui/chart/chart.tsx'
import { formatDay, useWordFormat } from '../../../ui/format/format-time.ts'
import { useReader } from '../../../ui/format/reader.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import { Progress } from '../../../ui/values/progress.tsx'
import { QueryCard } from '../query-card.tsx'
import { formatPeople, kinds, type Space } from '../space-words.ts'
import { StartForecast } from './start-forecast.tsx'

const pollMs = 2_000
const dayMs = 86_400_000

interface Outlook {
  /** The newest run of the space that has not ended well, if no later one has. */
  run: ForecastRunDetail | undefined
  series: ForecastRunDetail['series'][number] | undefined
  /** All days of it are over. */
  isPast: boolean
}

/** The days ahead of a space: of the newest forecast that covers it, or a button that makes one. */
export function OutlookCard({ space }: { space: Space }) {
  const query = useApiQuery(
    ['forecasts', 'of-space', space.id],
    async (api, options): Promise<Outlook> => {
      const isOfSpace = (run: ForecastRun) => covers(runInput(run).workplace, space)
      const { runs } = await readRuns(api, {}, options, (run) => isOfSpace(run) && run.status === 'finished')
      const newest = runs.find((run) => isOfSpace(run) && run.status !== 'cancelled')
      const finished = runs.find((run) => isOfSpace(run) && run.status === 'finished')
      const chosen = newest !== undefined && isActive(newest) ? newest : (finished ?? newest)
      if (chosen === undefined) return { run: undefined, series: undefined, isPast: false }
      const run = await api.solutions.getForecastRun({ params: { id: chosen.id } }, options)
      const series = run.series.find(({ key }) => key.space === space.id)
      const isPast = Date.parse(series?.points.at(-1)?.ts ?? '') < Date.now() - dayMs
      return { run, series, isPast }
    },
    { refetchInterval: ({ state }) => (state.data?.run && isActive(state.data.run) ? pollMs : false) },
  )
  return (
    <QueryCard
      title="The days ahead"
      description="How many people are expected, by day."
      query={query}
      height="20rem"
      isAsHigh={false}
    >
      {(outlook) => <Content space={space} outlook={outlook} />}
    </QueryCard>
  )
}

type WorkplaceInput = NonNullable<ReturnType<typeof runInput>['workplace']>

/** Returns true if a run has a series of the space: it begins there or around it, and goes down to its kind. */
export function covers(input: WorkplaceInput | undefined, { id, kind, path }: Pick<Space, 'id' | 'kind' | 'path'>) {
  if (input === undefined || input.team_id !== undefined || input.level === 'team') return false
  if (kinds.indexOf(input.level) < kinds.indexOf(kind)) return false
  return input.space_id === undefined || input.space_id === id || path.some((around) => around.id === input.space_id)
}

function Content({ space, outlook: { run, series, isPast } }: { space: Space; outlook: Outlook }) {
  const reader = useReader()
  const canRun = useCan()('solutions:run')
  const counted = useHistory(canRun, { space_id: space.id })?.last ?? ''
  const formatTime = useWordFormat('shortWeekday', run === undefined ? 'UTC' : runInput(run).timezone)
  if (run === undefined) return <StartForecast space={space} text="No forecast covers it yet." />
  if (isActive(run)) return <Progress label="Forecasting" value={run.progress} />
  if (run.status === 'failed')
    return (
      <Stack>
        <Callout tone="warning" title="The last forecast failed">
          {run.error?.message}
        </Callout>
        <StartForecast space={space} text="" />
      </Stack>
    )
  if (run.stale)
    return (
      <Stack>
        <Callout tone="warning" title="The last forecast is stale">
          {run.warnings?.[0]}{' '}
          <Link to="/$workspaceId/forecasts/$runId" params={{ runId: run.id }}>
            Open the forecast
          </Link>
        </Callout>
        <StartForecast space={space} text="" />
      </Stack>
    )
  if (series === undefined)
    return (
      <StartForecast
        space={space}
        text="The last forecast has no figures of it: too little was counted when it was made."
      />
    )
  const { times, series: lines } = groupChart(series, [], { capacity: space.effective.capacity ?? undefined })
  const band = lines.filter(({ label }) => !label.startsWith('95'))
  const until = run.history_until ?? ''
  const isOfPeaks = runInput(run).workplace?.measure === 'peak'
  return (
    <Stack>
      {isPast && (
        <Callout tone="warning" title="These days are past">
          The forecast was made from days until {formatDay(until, reader)}.
        </Callout>
      )}
      <p>{describeOutlook(series.points, formatTime)}</p>
      <Chart
        title={`${isOfPeaks ? 'People present at the busiest moment' : 'People a day'} in ${isolate(space.name)}`}
        times={times}
        series={band}
        height={200}
        timeZone={runInput(run).timezone}
        formatValue={formatPeople}
        formatTime={formatTime}
      />
      <Link to="/$workspaceId/forecasts/$runId" params={{ runId: run.id }}>
        Open the forecast
      </Link>
      {(isPast || counted > until) && (
        <StartForecast
          space={space}
          text={counted > until ? 'More days are counted since this forecast was made.' : ''}
        />
      )}
    </Stack>
  )
}

/** Describes the fullest of the days ahead. */
function describeOutlook(points: readonly { ts: string; mean: number }[], day: (time: string) => string): string {
  const [first, last] = [points[0], points.at(-1)]
  const fullest = points.toSorted((a, b) => b.mean - a.mean)[0]
  if (first === undefined || last === undefined || fullest === undefined) return ''
  return `${day(first.ts)} to ${day(last.ts)}; fullest: ${day(fullest.ts)}, about ${formatPeople(fullest.mean)} people.`
}
