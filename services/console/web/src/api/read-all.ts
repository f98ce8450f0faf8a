import { paginate } from '@wp/client/browser'

const [pageSize, maxItems] = [100, 2_000]

/** Reads the pages of a list, up to 2,000 items. */
export async function readAll<Item>(
  list: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of paginate((cursor) => list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }))) {
    items.push(item)
    if (items.length >= maxItems) break
  }
  return items
}
