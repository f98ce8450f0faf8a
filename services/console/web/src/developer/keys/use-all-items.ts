import type { Client } from '@wp/client/browser'
import { useApiQuery } from '../../session/workspace-context.tsx'
import type { ListPage } from '../../ui/table/paged-table.tsx'

type ReadPage<Row> = (
  api: Client,
  query: { limit: number; cursor?: string },
  options: { signal: AbortSignal },
) => Promise<ListPage<Row>>

/** Quotas bound the lists: 200 API keys, 50 service principals. */
const maxPages = 5

/** Reads a short list as a whole, so that it can be searched while one types. */
export function useAllItems<Row>(key: readonly unknown[], read: ReadPage<Row>, enabled = true) {
  const { data, error, refetch } = useApiQuery(key, (api, options) => readAll(api, read, options), { enabled })
  return {
    isLoaded: data !== undefined || error !== null,
    /** Returns the rows that match, as a page of a table. */
    filtered: (matches: (row: Row) => boolean) => ({
      data: data && { items: data.items.filter(matches), nextCursor: null },
      error,
      refetch,
    }),
  }
}

async function readAll<Row>(
  api: Client,
  read: ReadPage<Row>,
  options: { signal: AbortSignal },
): Promise<ListPage<Row>> {
  const items: Row[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < maxPages && cursor !== null; page += 1) {
    const next = await read(api, { limit: 100, ...(cursor && { cursor }) }, options)
    items.push(...next.items)
    cursor = next.nextCursor
  }
  return { items, nextCursor: null }
}
