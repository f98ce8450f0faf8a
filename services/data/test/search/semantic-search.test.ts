import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { startSemanticFleet } from '../support/semantic-fleet.ts'
import { createEmbedded, describeSemanticSearch, notes } from './contract/semantic-search.ts'

const test = await startSemanticFleet()
afterAll(() => test.stop())
afterEach(() => {
  test.server.override = () => undefined
})

describeSemanticSearch(() => test)

// Before any engine is asked, so that one of them is enough.
describe('a search without embeddings', () => {
  it('fails in semantic mode and uses words in hybrid mode when no integration is connected', async () => {
    const workspace = await test.createWorkspace()
    await workspace.createSource(notes)
    const refused = await workspace.request('POST', '/v1/data/search', { query: 'car', mode: 'semantic' })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'embeddings_not_connected', errors: [{ pointer: '/mode' }] },
    ])
    const byGet = await workspace.request('GET', '/v1/data/search?q=car&mode=semantic')
    expect([byGet.status, byGet.body.errors]).toMatchObject([409, [{ pointer: '?mode' }]])
    expect(await workspace.search('car ', { mode: 'hybrid' })).toMatchObject({
      data: [{ title: 'Garage' }],
      meta: { mode_used: 'lexical', warnings: [{ code: 'embeddings_not_connected' }], total: 1 },
    })
  })

  it('reports how many records are not embedded yet', async () => {
    const { search, sourceId, upload } = await createEmbedded(test)
    test.server.override = ({ input }) => (input.length > 1 ? { status: 503 } : undefined)
    await upload(sourceId, [
      { id: 8, title: 'Fleet', text: 'Every car we have.' },
      { id: 9, title: 'Ward', text: 'Every doctor we have.' },
    ])
    const { data, meta } = await search('automobile', { limit: 100 })
    expect(data).toHaveLength(4)
    expect(meta.warnings).toEqual([{ code: 'embeddings_pending', message: expect.stringContaining('Up to 2 records') }])
    expect((await search('automobile', { mode: 'hybrid', limit: 100 })).meta).toMatchObject({
      mode_used: 'hybrid',
      warnings: [{ code: 'embeddings_pending' }],
    })
  })

  it('uses words on all pages when the provider fails on the first', async () => {
    const { search, request } = await createEmbedded(test, [
      ...notes,
      { id: 7, title: 'Ramp', text: 'The car goes down.' },
    ])
    test.server.override = () => ({ status: 500 })
    const refused = await request('POST', '/v1/data/search', { query: 'a warm car', mode: 'semantic' })
    expect([refused.status, refused.body]).toMatchObject([
      503,
      { code: 'embeddings_unavailable', detail: expect.stringContaining('answered 500') },
    ])
    const first = await search('a warm car ', { mode: 'hybrid', limit: 1 })
    expect(first.meta).toMatchObject({
      mode_used: 'lexical',
      warnings: [{ code: 'embeddings_unavailable' }],
      total: 3,
    })
    test.server.override = () => undefined
    const cursor = first.pagination.next_cursor
    const rest = await search('a warm car ', { mode: 'hybrid', cursor })
    expect(rest.meta).toMatchObject({ mode_used: 'lexical', warnings: [{ code: 'embeddings_unavailable' }] })
    expect(rest.data).toHaveLength(2)

    const both = await search('a hot car ', { mode: 'hybrid', limit: 1 })
    expect(both.meta.mode_used).toBe('hybrid')
    const elsewhere = await request('POST', '/v1/data/search', { query: 'x', cursor: both.pagination.next_cursor })
    expect([elsewhere.status, elsewhere.body]).toMatchObject([
      400,
      { code: 'invalid_cursor', errors: [{ pointer: '/cursor' }] },
    ])
  })

  it('uses words when the provider does not respond in time', async () => {
    const { search } = await createEmbedded(test)
    test.server.override = () => 'silence'
    expect((await search('an unheard car ', { mode: 'hybrid' })).meta).toMatchObject({
      mode_used: 'lexical',
      warnings: [{ code: 'embeddings_unavailable', message: expect.stringContaining('took longer') }],
    })
  })
})

describe('a semantic query', () => {
  it('is embedded once, with the key of the integration, which is audited', async () => {
    const { search, integration } = await createEmbedded(test)
    test.server.requests.length = 0
    await search('who may acquire a vehicle')
    await search('who may acquire a vehicle', { mode: 'hybrid' })
    expect(test.server.requests).toEqual([
      { model: 'tiny', input: ['who may acquire a vehicle'], encoding_format: 'float', authorization: 'Bearer sk-1' },
    ])
    const audited = await eventuallyAudited(integration)
    expect(audited.every(({ actor }) => actor.id === 'svc:data')).toBe(true)
  })

  async function eventuallyAudited(integration: string) {
    return eventually(async () => {
      const rows = await queryAsWorker<{ actor: { id: string } }>(
        test.fleet.env('integrations'),
        `SELECT data->'actor' AS actor FROM platform.outbox
        WHERE data->>'action' = 'integration.secret_used' AND data::text LIKE $1`,
        [`%${integration}%`],
      )
      return rows.length > 0 && rows
    })
  }
})
