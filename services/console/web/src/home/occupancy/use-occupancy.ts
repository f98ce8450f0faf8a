import { useQueries, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { whileCounting } from '../../workplace/buildings/queries.ts'
import { isCounting } from '../../workplace/buildings/space-words.ts'
import type { WorkspaceState } from '../workspace-state.ts'
import { countedShares, expectedShares, meanShare, type SiteDays } from './occupancy.ts'

/** Sites of the chart: more lines cannot be told apart. */
const maxSites = 5

/** The known occupancy of the sites, past and expected. */
export interface Occupancy {
  sites: readonly SiteDays[]
  isLoading: boolean
  /** True while weeks are counted: the figures are of a part of the rows. */
  isCounting: boolean
  error: unknown
  retry: () => void
}

interface Site {
  id: string
  name: string
}

/** Reads how full the newest sites were in their last four weeks, and are expected to be by the newest forecast. */
export function useOccupancy(allSites: readonly Site[], runs: WorkspaceState['runs']): Occupancy {
  const { api, workspaceId } = useWorkspace()
  const sites = allSites.slice(0, maxSites)
  const counted = useQueries({
    queries: sites.map(({ id }) => ({
      queryKey: [workspaceId, 'utilization', 'home', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.solutions.getUtilization({ query: { space_id: id, interval: 'day', limit: 100 } }, { signal }),
      ...whileCounting,
    })),
  })
  const runId = runs.data?.items.find(({ input }) => isOfSites(input))?.id
  const run = useQuery({
    queryKey: [workspaceId, 'forecasts', 'run', runId],
    queryFn: ({ signal }) => api.solutions.getForecastRun({ params: { id: runId as `fr_${string}` } }, { signal }), // enabled with an id
    enabled: runId !== undefined,
  })
  const timeZone = typeof run.data?.input.timezone === 'string' ? run.data.input.timezone : 'UTC'
  return {
    sites: sites.map(({ id, name }, index) => {
      const rows = counted[index]?.data?.items ?? []
      const capacity = rows.findLast((row) => row.capacity !== null)?.capacity ?? undefined
      // Days ahead of a forecast whose data was deleted are none.
      const series = run.data?.stale ? [] : run.data?.series
      const points = series?.find(({ key }) => key.space === id)?.points ?? []
      return {
        id,
        name,
        counted: countedShares(rows),
        expected: expectedShares(points, capacity, timeZone),
        mean: meanShare(rows),
      }
    }),
    isLoading: runs.isLoading || run.isLoading || counted.some(({ isLoading }) => isLoading),
    isCounting: counted.some(({ data }) => isCounting(data)),
    error: counted.find(({ error }) => error !== null)?.error ?? run.error ?? runs.error,
    retry: () => {
      for (const query of [runs, run, ...counted]) if (query.error !== null) void query.refetch()
    },
  }
}

/** Returns true for the input of a forecast of people by day whose series are of sites, and of what is in them. */
function isOfSites({ workplace, frequency }: Record<string, unknown>): boolean {
  if (frequency !== 'day' || typeof workplace !== 'object' || workplace === null) return false
  const { level, measure, space_id: root } = workplace as Record<string, unknown> // any member of an object is unknown
  return level !== 'team' && measure !== 'peak' && root === undefined
}
