import { readAll } from '../../api/read-all.ts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'

const namesMs = 60_000

/** Returns the data sources of the workspace, newest first; undefined while they are loaded. */
export function useSources(isEnabled = true) {
  const can = useCan()
  return useApiQuery(
    ['data', 'sources', 'names'],
    async (api, options) => ({ items: await readAll((query) => api.data.listSources({ query }, options)) }),
    { staleTime: namesMs, enabled: isEnabled && can('data:read') },
  )
}

/** Returns the spaces of the workspace. */
export const useSpaces = (isEnabled = true) =>
  useApiQuery(
    ['workplace', 'spaces', 'names'],
    async (api, options) => ({ items: await readAll((query) => api.solutions.listSpaces({ query }, options)) }),
    { staleTime: namesMs, enabled: isEnabled },
  )

/** Returns the teams of the workspace. */
export const useTeams = (isEnabled = true) =>
  useApiQuery(
    ['workplace', 'teams', 'names'],
    async (api, options) => ({ items: await readAll((query) => api.solutions.listTeams({ query }, options)) }),
    { staleTime: namesMs, enabled: isEnabled },
  )

/** Names by the id of what they name. */
export type Names = ReadonlyMap<string, string>

/** Returns the names of sources, spaces and teams; undefined while they are loaded. A list that failed has none. */
export function useNames(isEnabled = true): Names | undefined {
  const [sources, spaces, teams] = [useSources(isEnabled), useSpaces(isEnabled), useTeams(isEnabled)]
  if (sources.isLoading || spaces.isLoading || teams.isLoading) return undefined
  return new Map([
    ...(sources.data?.items ?? []).map(({ data_source_id: id, name }) => [id, name] as const),
    ...[...(spaces.data?.items ?? []), ...(teams.data?.items ?? [])].map(({ id, name }) => [id, name] as const),
  ])
}
