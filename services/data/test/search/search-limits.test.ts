import { afterAll, describe, expect, it } from '@jest/globals'
import { assertionHeader } from '@wp/service'
import { eventually } from '@wp/testkit'
import { queryAsWorker, withClient } from '../support/database.ts'
import { createSearchWorkspace } from '../support/search-workspace.ts'
import { type DataService, startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const phrases = (count: number) => Array.from({ length: count }, (_, nth) => `"old oak ${nth}"`).join(' ')

describe('the limits of a search request', () => {
  it('reject an eleventh phrase with a pointer', async () => {
    const { createSource, request, search } = createSearchWorkspace(service)
    await createSource([{ id: 1, text: 'old oak' }])
    await search({ query: phrases(10) })
    const posted = await request('POST', '/v1/data/search', { query: phrases(11) })
    expect([posted.status, posted.body.errors]).toMatchObject([400, [{ pointer: '/query' }]])
    const read = await request('GET', `/v1/data/search?q=${encodeURIComponent(phrases(11))}`)
    expect([read.status, read.body.errors]).toMatchObject([400, [{ pointer: '?q' }]])
  })

  it('reject too many filters, values and sources by their count, before each of them is validated', async () => {
    const { request } = createSearchWorkspace(service)
    const invalid = { gt: {} }
    const filters = Object.fromEntries(Array.from({ length: 500 }, (_, nth) => [`f${nth}`, invalid]))
    const values = Array.from({ length: 500 }, () => ({}))
    for (const [body, pointer] of [
      [{ filters }, '/filters'],
      [{ filters: { f: { in: values } } }, '/filters/f/in'],
      [{ filters: { f: { not: values } } }, '/filters/f/not'],
      [{ facets: values }, '/facets'],
      [{ data_source_ids: values }, '/data_source_ids'],
    ] as const) {
      const response = await request('POST', '/v1/data/search', { query: 'oak', ...body })
      const error = { pointer, detail: expect.stringContaining('must have at most') }
      expect([response.status, response.body.errors]).toEqual([400, [error]])
    }
  })

  it('respells three words of a query without a match', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    await createSource([{ id: 1, text: 'sycamore chestnut juniper hawthorn' }])
    const { meta } = await search({ query: 'sycamroe chestntu junipr hawthron ' })
    expect(meta.warnings).toMatchObject([{ code: 'respelled', message: expect.stringContaining('junip') }])
    expect(meta.warnings[0].message).not.toContain('hawthorn')
  })
})

describe('a search over large values', () => {
  it('filters and counts every match, in several pages', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    const padding = 'x'.repeat(200_000)
    const rows = Array.from({ length: 44 }, (_, id) => ({
      id,
      note: 'oak',
      kind: id % 2 === 0 ? 'even' : 'odd',
      padding,
    }))
    await createSource(rows, { text_field: 'note' })
    const { data, meta } = await search({
      query: 'oak',
      filters: { padding: { not: 'short' } },
      facets: ['kind', 'padding', 'padding'],
      limit: 100,
    })
    expect(data).toHaveLength(44)
    expect(meta).toMatchObject({
      total: 44,
      facets: {
        kind: [
          { value: 'even', count: 22 },
          { value: 'odd', count: 22 },
        ],
        padding: [],
      },
    })
  })
})

describe('a search that takes too long', () => {
  /** The workers of the service wait for the lock too; they have another role. */
  const statements = `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND relation = 'data_sources'::regclass AND usename <> current_user`
  const listBlocked = (of: DataService) => queryAsWorker(of.env, statements)

  /** Runs work while another transaction has locked what every search reads. */
  const whileLocked = (of: DataService, work: () => Promise<void>) =>
    withClient(of.env.DATABASE_WORKER_URL, async (client) => {
      await client.query('BEGIN; LOCK TABLE data_sources IN ACCESS EXCLUSIVE MODE')
      await work()
      await client.query('ROLLBACK')
    })

  it('ends with search_timeout, and its statement ends at PostgreSQL', async () => {
    const impatient = await startDataService({ SEARCH_TIMEOUT_MS: '300' })
    try {
      await whileLocked(impatient, async () => {
        const search = { body: { query: 'oak' } }
        const { status, body, headers } = await impatient.request('POST', '/v1/data/search', search)
        expect([status, body]).toMatchObject([503, { code: 'search_timeout' }])
        expect(body.detail).toContain('did not end within 300 ms')
        expect(headers.get('retry-after')).toBe('1')
        await eventually(async () => (await listBlocked(impatient)).length === 0)
      })
      const search = () => impatient.request('POST', '/v1/data/search', { body: { query: 'oak' } })
      await eventually(async () => (await search()).status === 200)
    } finally {
      await impatient.stop()
    }
  })

  it('ends, with its statement at PostgreSQL, when its client disconnects', async () => {
    await whileLocked(service, async () => {
      const client = new AbortController()
      const searching = fetch(`${service.url}/v1/data/search?q=oak`, {
        headers: { [assertionHeader]: await service.assertion(service.caller) },
        signal: client.signal,
      })
      const outcome = searching.catch((error: unknown) => error)
      await eventually(async () => (await listBlocked(service)).length === 1)
      client.abort()
      await outcome
      await eventually(async () => (await listBlocked(service)).length === 0)
    })
  })
})
