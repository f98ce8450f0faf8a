import { useApiQuery } from '../../../session/workspace-context.tsx'
import { formatCount, formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { useWordFormat } from '../../../ui/format/format-time.ts'
import { Stack } from '../../../ui/page/page.tsx'
import { Stat, Stats } from '../../../ui/values/values.tsx'
import { QueryCard } from '../query-card.tsx'
import { describeLeftOut, type Space } from '../space-words.ts'

interface Counts {
  booked: number | null
  used: number | null
  released: number | null
  no_shows: number | null
  hours_lost: number | null
}

/** Bookings of a space that were not used, over the months of a year. */
export function NoShowsCard({ space }: { space: Space }) {
  const monthOf = useWordFormat('month', 'UTC')
  const query = useApiQuery(['no-shows', space.id], (api, options) =>
    api.solutions.listNoShows({ query: { space_id: space.id } }, options),
  )
  return (
    <QueryCard title="Unused bookings" query={query} height="7rem">
      {({ items, meta }) => {
        const own = items.filter(({ space_id: id }) => id === space.id)
        const total = sumNoShows(own)
        if (total === undefined)
          return <p>{own.length === 0 ? 'No bookings are known here.' : 'Too few bookings to show.'}</p>
        return (
          <Stack>
            <Stats>
              <Stat
                label="Booked"
                value={formatNumber(total.booked)}
                note={own.some(({ suppressed }) => suppressed) ? 'only a part is shown' : undefined}
              />
              <Stat label="Used" value={total.used === null ? '–' : formatNumber(total.used)} />
              <Stat label="Cancelled" value={formatNumber(total.released)} />
              <Stat
                label="Not used"
                value={total.noShows === null ? '–' : formatNumber(total.noShows)}
                note={total.share === null ? undefined : `${formatPercent(total.share)} of those that can be checked`}
              />
              <Stat
                label="Lost"
                value={total.hoursLost === null ? '–' : formatCount(Math.round(total.hoursLost), 'hour')}
              />
            </Stats>
            <p>
              {`${monthOf(meta.since)} to ${monthOf(Date.parse(meta.until) - dayMs)}. `}
              {describeLeftOut(own)}
            </p>
            {meta.warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </Stack>
        )
      }}
    </QueryCard>
  )
}

const dayMs = 86_400_000

/** Adds the shown weekdays up; undefined if none is shown. A figure known of none of them is null. */
export function sumNoShows(rows: readonly Counts[]) {
  const shown = rows.filter(({ booked }) => booked !== null)
  if (shown.length === 0) return undefined
  const sum = (name: 'booked' | 'used' | 'released' | 'no_shows' | 'hours_lost') => {
    const known = shown.flatMap((row) => row[name] ?? [])
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0)
  }
  const [used, noShows] = [sum('used'), sum('no_shows')]
  const checked = (used ?? 0) + (noShows ?? 0)
  return {
    booked: sum('booked') ?? 0,
    used,
    released: sum('released') ?? 0,
    noShows,
    hoursLost: sum('hours_lost'),
    share: noShows === null || checked === 0 ? null : noShows / checked,
  }
}
