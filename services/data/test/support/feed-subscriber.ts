import { queryAsWorker } from './database.ts'

// biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
type Response = { status: number; body: any }
export type SendRequest = (method: string, path: string, options: object) => Promise<Response>

/** A subscriber of a feed: keeps the rows of the feed, each with the number of its records. */
export interface FeedSubscriber {
  /** Reads a page, and stores it unless it `isLost`. Returns the response. */
  pull(options?: { limit?: number; isLost?: boolean }): Promise<Response>
  /** Reads pages until there are no more. */
  pullAll(limit?: number): Promise<void>
  open(fields?: readonly string[]): Promise<Response>
  /** The rows as JSON, sorted; a row of several records occurs several times. */
  rows(): string[]
}

export function createSubscriber(request: SendRequest, sourceId: string, fields: readonly string[]): FeedSubscriber {
  const path = `/internal/data/sources/${sourceId}/feeds`
  const feedId = 'ds_1'
  const counts = new Map<string, number>()
  let [generation, storedPage] = [0, 0]

  function add(cells: unknown[] | null, difference: number) {
    if (cells === null) return
    const row = JSON.stringify(cells)
    const count = (counts.get(row) ?? 0) + difference
    if (count < 0) throw new Error(`the feed removed a row that it has not sent: ${row}`)
    if (count === 0) counts.delete(row)
    else counts.set(row, count)
  }

  const pull: FeedSubscriber['pull'] = async ({ limit = 10_000, isLost = false } = {}) => {
    const body = { generation, acknowledged_page: storedPage, limit }
    const response = await request('POST', `${path}/${feedId}/pages`, { signer: 'solutions', body })
    const { page_id: pageId, rows } = response.body
    if (response.status !== 200 || isLost || pageId === storedPage) return response
    if (pageId !== storedPage + 1) throw new Error(`page ${pageId} follows page ${storedPage}`)
    // A row may be added by one change and removed by another, in any order.
    for (const { current } of rows) add(current, 1)
    for (const { previous } of rows) add(previous, -1)
    storedPage = pageId
    return response
  }

  return {
    pull,
    async pullAll(limit) {
      for (let hasMore = true; hasMore; ) {
        const { status, body } = await pull({ ...(limit === undefined ? {} : { limit }) })
        if (status !== 200) throw new Error(`failed to read the feed: ${JSON.stringify(body)}`)
        hasMore = body.has_more
      }
    },
    async open(chosen = fields) {
      const response = await request('POST', path, { signer: 'solutions', body: { feed_id: feedId, fields: chosen } })
      if (response.status === 200 && response.body.data.generation !== generation) {
        counts.clear()
        generation = response.body.data.generation
        storedPage = 0
      }
      return response
    },
    rows: () => [...counts].flatMap(([row, count]) => Array<string>(count).fill(row)).sort(),
  }
}

/** Reads the rows that a subscriber of the source must have. */
export async function readStoredRows(
  env: Readonly<Record<string, string>>,
  sourceId: string,
  fields: readonly string[],
): Promise<string[]> {
  const records = await queryAsWorker<{ data: Record<string, unknown> }>(
    env,
    'SELECT data FROM data_records WHERE data_source_id = $1',
    [sourceId],
  )
  return records.map(({ data }) => JSON.stringify(fields.map((field) => data[field] ?? null))).sort()
}

/** Counts the changes that are recorded for the feeds of all sources. */
export const countChanges = async (env: Readonly<Record<string, string>>): Promise<number> =>
  (await queryAsWorker<{ count: number }>(env, 'SELECT count(*)::integer AS count FROM row_changes'))[0]?.count ?? 0
