import { useApiQuery } from '../../../session/workspace-context.tsx'
import { nameInPlace } from '../space-words.ts'

/** Reads the names of up to 100 spaces. */
export function useSpaces(ids: readonly string[]): ReadonlyMap<string, string> {
  const named = [...new Set(ids)].toSorted().slice(0, 100)
  const { data } = useApiQuery(
    ['spaces', 'named', named],
    (api, options) => api.solutions.listSpaces({ query: { ids: named.join(','), limit: 100 } }, options),
    { enabled: named.length > 0 },
  )
  return new Map(data?.items.map((space) => [space.id, nameInPlace(space)]))
}

/** Reads the names of up to 100 teams. */
export function useTeams(ids: readonly string[]): ReadonlyMap<string, string> {
  const named = [...new Set(ids)].toSorted().slice(0, 100)
  const { data } = useApiQuery(
    ['teams', 'named', named],
    (api, options) => api.solutions.listTeams({ query: { ids: named.join(','), limit: 100 } }, options),
    { enabled: named.length > 0 },
  )
  return new Map(data?.items.map(({ id, name }) => [id, name]))
}
