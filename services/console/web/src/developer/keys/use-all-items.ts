import type { Client } from '@wp/client/browser'
import { readAll } from '../../api/read-all.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import type { ListPage } from '../../ui/table/paged-table.tsx'

type ReadPage<Row> = (
  api: Client,
  query: { limit: number; cursor?: string },
  options: { signal: AbortSignal },
) => Promise<ListPage<Row>>

/** Reads a short list as a whole, so that it can be searched while one types. */
export function useAllItems<Row>(key: readonly unknown[], read: ReadPage<Row>, enabled = true) {
  const { data, error, refetch } = useApiQuery(
    key,
    async (api, options) => ({ items: await readAll((query) => read(api, query, options)), nextCursor: null }),
    { enabled },
  )
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
