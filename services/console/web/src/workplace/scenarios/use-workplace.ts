import { readAll } from '../../api/read-all.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { createWorkplace } from './workplace.ts'

const staleMs = 30_000
const [maxLookUps, maxLevels] = [40, 8]
const kinds = ['site', 'building', 'floor'] as const

/** Reads the sites, buildings, floors and teams of the workspace. */
export const useWorkplace = () =>
  useApiQuery(
    ['scenarios', 'workplace'],
    async (api, options) => {
      const [spaces, teams] = await Promise.all([
        Promise.all(
          kinds.map((kind) => readAll((page) => api.solutions.listSpaces({ query: { ...page, kind } }, options))),
        ),
        readAll((page) => api.solutions.listTeams({ query: page }, options)),
      ])
      const known = new Map(spaces.flat().map((space) => [space.id, space]))
      // Teams may be at home in zones and rooms, which can be many thousands.
      let ids = teams.flatMap(({ home_space_id: home }) => home ?? [])
      for (let level = 0; level < maxLevels; level++) {
        const missing = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, maxLookUps)
        const found = await Promise.all(missing.map((id) => api.solutions.getSpace({ params: { id } }, options)))
        for (const space of found) known.set(space.id, space)
        ids = found.flatMap(({ parent_id: parent }) => parent ?? [])
      }
      return createWorkplace([...known.values()], teams)
    },
    { staleTime: staleMs },
  )
