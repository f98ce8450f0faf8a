import { lazy, Suspense } from 'react'
import { ButtonLink, Link } from '../../ui/button/button-link.tsx'
import { localDate } from '../../ui/date/local-time.ts'
import { formatCount, formatPercent } from '../../ui/format/format.ts'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { stillCounting } from '../../workplace/buildings/space-words.ts'
import styles from '../home.module.css'
import { type CardQuery, useNewestDatasets } from '../workspace-state.ts'
import {
  chartDays,
  countedRange,
  describeMeans,
  hasFigures,
  hasWithheldDays,
  type Peak,
  peakOf,
  type SiteDays,
} from './occupancy.ts'
import type { Occupancy } from './use-occupancy.ts'

const OccupancyChart = lazy(async () => ({ default: (await import('./occupancy-chart.tsx')).OccupancyChart }))

/** The occupancy of the sites in the last weeks and in the next. */
export function OccupancyCard({ query, occupancy }: CardQuery<'sites'> & { occupancy: Occupancy }) {
  const { sites, isLoading } = occupancy
  const error = query.error ?? occupancy.error
  const days = chartDays(sites)
  const peak = peakOf(sites, localDate(new Date(), 'UTC'))
  // An empty grid would look as if no one came.
  const isBlank = isLoading || (occupancy.isCounting && !hasFigures(sites))
  const retry = () => {
    if (query.error !== null) void query.refetch()
    occupancy.retry()
  }
  return (
    <Card
      title="How full your buildings are"
      description={
        <span className={styles.sentence}>
          {isLoading ? (
            <Skeleton width="20rem" />
          ) : occupancy.isCounting ? (
            stillCounting
          ) : (
            <UseText sites={sites} peak={peak} />
          )}
        </span>
      }
      actions={<Link to="/$workspaceId/buildings">All buildings</Link>}
    >
      <div className={styles.chart}>
        {error !== null && error !== undefined && !isLoading && <ErrorMessage error={error} onRetry={retry} />}
        {isBlank ? (
          <Skeleton height="18rem" />
        ) : days.length > 0 ? (
          <Suspense fallback={<Skeleton height="18rem" />}>
            <OccupancyChart sites={sites} days={days} />
          </Suspense>
        ) : (
          !error && <NoFigures />
        )}
      </div>
    </Card>
  )
}

/** States the mean of the last weeks, as the list of buildings does, and the fullest day. */
function UseText({ sites, peak }: { sites: readonly SiteDays[]; peak: Peak | undefined }) {
  const formatDay = useWordFormat('longDay', 'UTC')
  if (peak === undefined) return 'People of each day, as a share of the places.'
  const means = describeMeans(sites, formatDay)
  const range = countedRange(sites)
  const period = range && `from ${formatDay(range.first)} to ${formatDay(range.last)}`
  return (
    <>
      {means !== '' && <span className={styles.line}>{means}</span>}
      Fullest day {peak.isExpected ? `ahead, up to ${formatDay(peak.last)}` : `counted ${period}`}:{' '}
      <bdi>{peak.name}</bdi> on {formatDay(peak.date)}, as many people as {formatPercent(peak.share)} of its places.
      {hasWithheldDays(sites) && ' Gaps are withheld days.'}
    </>
  )
}

/** Leads to a file of which no row is counted before its places are known, or else to a new file. */
function NoFigures() {
  const { data } = useNewestDatasets()
  const waiting = data?.items.find(
    ({ rows }) => rows.used === 0 && rows.unused.some(({ reason }) => reason === 'space_unmapped'),
  )
  if (waiting !== undefined)
    return (
      <div className={styles.nothing}>
        <p>
          {formatCount(waiting.rows.read, 'row')} of {isolate(waiting.name)} can be counted once its places are known.
        </p>
        <ButtonLink to="/$workspaceId/datasets/$datasetId" params={{ datasetId: waiting.id }} search={{ next: 'show' }}>
          Say which places they are
        </ButtonLink>
      </div>
    )
  return (
    <div className={styles.nothing}>
      <p>There are buildings, but nothing yet that says who was in them. Add badge events, bookings or counts.</p>
      <ButtonLink to="/$workspaceId/data/new">Add a file</ButtonLink>
    </div>
  )
}
