import { describe, expect, it } from '@jest/globals'
import { queryAsWorker } from '../../support/database.ts'
import { createSearchWorkspace, type SearchWorkspace } from '../../support/search-workspace.ts'
import type { DataService } from '../../support/service.ts'

const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, nth) => ({
    id: `r${from + nth}`,
    title: 'Oak',
    text: 'oak tree',
    kind: `k${nth % 2}`,
    n: nth % 7,
  }))

/** Reads all pages, and calls `between` after each but the last. */
async function walk(
  { search }: SearchWorkspace,
  body: Record<string, unknown>,
  between: (pages: number) => Promise<void> = async () => {},
) {
  const pages: { keys: string[]; meta: { total?: number; warnings: { code: string }[] } }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<SearchWorkspace['search']>> = await search({ ...body, ...(cursor && { cursor }) })
    pages.push({ keys: page.data.map(({ key }: { key: string }) => key), meta: page.meta })
    cursor = page.pagination.next_cursor
    if (cursor !== null) await between(pages.length)
  }
  const keys = pages.flatMap((page) => page.keys)
  return { pages, keys, distinct: new Set(keys).size }
}

/** Declares the tests of the pages of one search, which every engine passes. */
export function describeResultPages(serviceOf: () => DataService): void {
  describe('the pages of a search', () => {
    const searches: [string, Record<string, unknown>][] = [
      ['words', { query: 'oak ' }],
      ['words with a filter', { query: 'oak ', filters: { kind: { exists: true } } }],
      ['a phrase', { query: '"oak tree"' }],
      ['an order', { filters: {}, sort: 'n' }],
      ['filters alone', { filters: { kind: { exists: true } } }],
    ]

    it.each(searches)('have each hit once when records are written in between, by %s', async (_, body) => {
      const workspace = createSearchWorkspace(serviceOf())
      const source = await workspace.createSource(rowsOf(100))
      const other = await workspace.createSource([{ id: 'x', title: 'Elm', text: 'elm' }])
      const { keys, distinct, pages } = await walk(
        workspace,
        { ...body, limit: 20, data_source_ids: [source] },
        async (nth) => {
          // Changes what matches, in the other source and in the searched one, and adds matches.
          await workspace.upload(other, [{ id: 'x', title: 'Elm', text: `elm ${nth} oak` }])
          await workspace.upload(source, [
            { ...rowsOf(1, (nth * 37) % 100)[0], n: 6 - nth, text: 'oak oak tree' },
            { ...rowsOf(1, (nth * 53) % 100)[0], n: nth, text: 'oak tree and much more text than before' },
            ...rowsOf(3, 1_000 + nth * 10),
          ])
        },
      )
      expect([keys.length, distinct]).toEqual([100, 100])
      expect(keys.every((key) => Number(key.slice(1)) < 1_000)).toBe(true)
      expect(pages.map((page) => page.keys.length)).toEqual([20, 20, 20, 20, 20])
    })

    it('leave out records that are deleted in between, and no others', async () => {
      const workspace = createSearchWorkspace(serviceOf())
      const source = await workspace.createSource(rowsOf(60))
      const deleted: string[] = []
      const { keys, distinct } = await walk(workspace, { query: 'oak ', limit: 20 }, async (nth) => {
        const all = await workspace.request('GET', `/v1/data/sources/${source}/records?limit=100`)
        const { record_id: id, key } = all.body.data[nth * 11]
        expect((await workspace.request('DELETE', `/v1/data/records/${id}`)).status).toBe(200)
        deleted.push(key)
      })
      expect(distinct).toBe(keys.length)
      const missing = rowsOf(60)
        .map(({ id }) => id)
        .filter((id) => !keys.includes(id))
      expect(missing.every((id) => deleted.includes(id))).toBe(true)
      expect(missing.length).toBeGreaterThan(0)
    })

    it('end when their source is deleted', async () => {
      const workspace = createSearchWorkspace(serviceOf())
      const source = await workspace.createSource(rowsOf(60))
      const { keys } = await walk(workspace, { query: 'oak ', limit: 20 }, async (nth) => {
        if (nth === 2) await workspace.request('DELETE', `/v1/data/sources/${source}`)
      })
      expect(keys).toHaveLength(40)
    })

    it('state the total of the first page', async () => {
      const workspace = createSearchWorkspace(serviceOf())
      const source = await workspace.createSource(rowsOf(50))
      const { pages } = await walk(workspace, { query: 'oak ', limit: 20 }, async (nth) => {
        await workspace.upload(source, rowsOf(1, 100 + nth))
      })
      expect(pages.map(({ meta }) => meta.total)).toEqual([50, 50, 50])
    })

    it('can be read again, and with another limit', async () => {
      const workspace = createSearchWorkspace(serviceOf())
      await workspace.createSource(rowsOf(70))
      const page = (cursor: string, limit = 20) => workspace.search({ query: 'oak ', limit, cursor })
      const first = await workspace.search({ query: 'oak ', limit: 20 })
      const second = await page(first.pagination.next_cursor)
      const third = await page(second.pagination.next_cursor, 25)
      expect((await page(second.pagination.next_cursor, 25)).data).toEqual(third.data)
      const last = await page(third.pagination.next_cursor, 100)
      const all = [first, second, third, last].flatMap(({ data }) => data.map(({ key }: { key: string }) => key))
      expect([all.length, new Set(all).size, last.pagination.next_cursor]).toEqual([70, 70, null])
    })

    it('are refused when the ranking is no longer stored, or the cursor is of another workspace', async () => {
      const workspace = createSearchWorkspace(serviceOf())
      await workspace.createSource(rowsOf(70))
      const first = await workspace.search({ query: 'oak ', limit: 20 })
      const { next_cursor: cursor } = (
        await workspace.search({ query: 'oak ', limit: 20, cursor: first.pagination.next_cursor })
      ).pagination
      const foreign = createSearchWorkspace(serviceOf())
      const refusalOf = async ({ request }: SearchWorkspace) => {
        const { status, body } = await request('POST', '/v1/data/search', { query: 'oak ', limit: 20, cursor })
        return [status, body.code]
      }
      expect(await refusalOf(foreign)).toEqual([400, 'invalid_cursor'])
      expect((await workspace.search({ query: 'oak ', limit: 20, cursor })).data).toHaveLength(20)
      const age = `UPDATE search_views SET created_at = now() - interval '61 minutes' WHERE workspace_id = $1`
      await queryAsWorker(serviceOf().env, age, [workspace.workspaceId])
      expect(await refusalOf(workspace)).toEqual([410, 'cursor_expired'])
      expect(
        (await workspace.search({ query: 'oak ', limit: 20, cursor: first.pagination.next_cursor })).data,
      ).toHaveLength(20)
    })
  })
}
