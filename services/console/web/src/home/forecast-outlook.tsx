import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../session/workspace-context.tsx'
import { levelsOf } from '../solutions/forecasts/chart-data.ts'
import { type Group, rankGroups } from '../solutions/forecasts/rank-groups.ts'
import { StepTime } from '../solutions/forecasts/run/step-time.tsx'
import { capacityOf, type ForecastRunDetail, runInput } from '../solutions/forecasts/run-input.ts'
import { formatNumber, formatPercent } from '../ui/format/format.ts'
import styles from './checklist.module.css'
import { sparkline } from './sparkline.ts'

/** The fullest group of a finished forecast as a small chart, with its peak in words. */
export function ForecastOutlook({ runId }: { runId: string }) {
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const { data: run } = useQuery({
    queryKey: [workspaceId, 'forecasts', 'run', runId],
    queryFn: ({ signal }) => api.solutions.getForecastRun({ params: { id: runId } }, { signal }),
  })
  const group = run && rankGroups(run)[0]
  return (
    <div className={styles.outlook}>
      <svg className={styles.sparkline} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {run && group && <Lines run={run} group={group} />}
      </svg>
      <p>{run && group && <PeakText run={run} group={group} />}</p>
    </div>
  )
}

function Lines({ run, group: { series } }: { run: ForecastRunDetail; group: Group }) {
  const level = levelsOf(series)[0]
  const bounds = series.points.flatMap((point) => {
    const values: Record<string, unknown> = point
    const [lower, upper] = [values[`lower_${level}`], values[`upper_${level}`]]
    return typeof lower === 'number' && typeof upper === 'number' ? [[lower, upper] as const] : []
  })
  const means = series.points.map(({ mean }) => mean)
  const paths = sparkline(means, bounds.length === means.length ? bounds : [], capacityOf(runInput(run), series.key))
  return (
    <>
      <path className={styles.band} d={paths.band} />
      <path className={styles.capacity} d={paths.capacity} />
      <path className={styles.mean} d={paths.mean} />
    </>
  )
}

function PeakText({ run, group: { name, peak } }: { run: ForecastRunDetail; group: Group }) {
  if (peak === null) return null
  const { timezone, frequency } = runInput(run)
  return (
    <>
      <bdi>{name}</bdi>: peak {formatNumber(peak.value, 1)} on{' '}
      <StepTime value={peak.time} timeZone={timezone} frequency={frequency} />
      {peak.share !== null && `, ${formatPercent(peak.share)} of the capacity`}
    </>
  )
}
