/** Most items that one request returns. */
const maxPageSize = 100

/** Collects the first items of a list, page by page. */
export async function collectPages<Item>(
  limit: number,
  list: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const size = Math.min(maxPageSize, limit - items.length)
    const page = await list({ limit: size, ...(cursor === undefined ? {} : { cursor }) })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && items.length < limit)
  return items
}
