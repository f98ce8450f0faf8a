import { useApiQuery } from '../../session/workspace-context.tsx'
import { createWorkplace } from './workplace.ts'

const [pageSize, maxPages, staleMs] = [100, 20, 30_000]

/** Reads all pages of a list, up to 2,000 resources. */
async function readAll<Item>(
  read: (page: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < maxPages && cursor !== null; page += 1) {
    const { items, nextCursor } = await read({ limit: pageSize, ...(cursor && { cursor }) })
    found.push(...items)
    cursor = nextCursor
  }
  return found
}

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
