import { paginate } from '@wp/client/browser'

const pageSize = 100

/** Reads the pages of a list, up to 2,000 items unless told otherwise. */
export async function readAll<Item>(
  list: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
  maxItems = 2_000,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of paginate((cursor) => list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }))) {
    items.push(item)
    if (items.length >= maxItems) break
  }
  return items
}
