import { readAll } from '../../api/read-all.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { createWorkplace } from './workplace.ts'

const staleMs = 30_000
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
      return createWorkplace(spaces.flat(), teams)
    },
    { staleTime: staleMs },
  )
