import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { Pool } from 'pg'
import { readQuantizedVectors } from '../../src/store/embeddings/chunk-vectors.ts'
import { claimEmbeddingLease, releaseEmbeddingLease } from '../../src/store/embeddings/embedding-leases.ts'
import { readPendingBatch, saveChunks } from '../../src/store/embeddings/record-chunks.ts'
import { queryAsWorker, withClient } from '../support/database.ts'
import { type SemanticFleet, startSemanticFleet } from '../support/semantic-fleet.ts'

let world: SemanticFleet
beforeAll(async () => {
  world = await startSemanticFleet()
}, 30_000)
afterAll(() => world.stop())
afterEach(() => {
  world.server.override = () => undefined
})

const notes = [
  { id: 1, title: 'Garage', text: 'Where each car is parked overnight.' },
  { id: 2, title: 'Surgery', text: 'The doctor sees patients in the morning.' },
]

async function filled(rows: readonly Record<string, unknown>[] = notes) {
  const workspace = await world.createWorkspace()
  const integration = await workspace.connectProvider()
  const sourceId = await workspace.createSource(rows)
  await workspace.waitUntilEmbedded()
  world.server.requests.length = 0
  return { ...workspace, integration, sourceId }
}

const keptOf = (sourceId: string) =>
  world.queryRows<{ document: number; space: string; dimensions: number }>(
    `SELECT document, space, octet_length(vector) / 4 AS dimensions FROM record_chunks
      WHERE data_source_id = $1 ORDER BY document, start`,
    [sourceId],
  )

const spaceOf = async (workspaceId: string) =>
  (
    await world.queryRows<{ space: string; failures: number; pauseMs: number }>(
      `SELECT space, failures, extract(epoch FROM retry_at - now())::float * 1000 AS "pauseMs" FROM embedding_spaces
        WHERE workspace_id = $1`,
      [workspaceId],
    )
  )[0]

const long = (last: string) =>
  `${Array.from({ length: 90 }, (_, nth) => `This is sentence number ${nth} of the minutes.`).join(' ')} ${last}`

describe('what is embedded', () => {
  it('is each part once, and after a change the parts that changed', async () => {
    const {
      upload,
      waitUntilEmbedded: embedded,
      sourceId,
      searchTitles: titles,
    } = await filled([...notes, { id: 3, title: 'Minutes', text: long('End.') }])
    const before = await keptOf(sourceId)
    expect(before.filter(({ document }) => document === 2).length).toBeGreaterThan(2)
    await upload(sourceId, [{ id: 3, title: 'Minutes', text: long('The physician left.'), seen: true }])
    await embedded()
    expect(world.server.requestedTexts()).toEqual([expect.stringContaining('The physician left.')])
    expect(await keptOf(sourceId)).toHaveLength(before.length)
    expect(await titles('when the medic left', { limit: 2 })).toContain('Minutes')

    world.server.requests.length = 0
    await upload(sourceId, [{ id: 3, title: 'Minutes', text: long('The physician left.'), seen: false }])
    await upload(sourceId, [{ id: 4, title: 'Garage', text: 'Where each car is parked overnight.' }])
    await upload(sourceId, [{ id: 5, title: 'Nothing', text: 'New.' }])
    await embedded()
    expect(world.server.requestedTexts().toSorted()).toEqual([
      'Garage\n\nWhere each car is parked overnight.',
      'Nothing\n\nNew.',
    ])
  })

  it('is not what a record no longer says, from the moment it changes', async () => {
    const { upload, waitUntilEmbedded: embedded, sourceId, search, searchTitles: titles } = await filled()
    await titles('automobile')
    world.server.override = () => ({ status: 503 })
    await upload(sourceId, [{ id: 1, title: 'Kitchen', text: 'Soup is served.' }])
    const { data, meta } = await search('automobile')
    expect(data).toMatchObject([{ title: 'Surgery' }])
    expect(meta.warnings).toEqual([{ code: 'embeddings_pending', message: expect.stringContaining('Up to 1 ') }])
    world.server.override = () => undefined
    await embedded()
    expect((await search('soup', { limit: 1 })).data).toMatchObject([{ title: 'Kitchen' }])
    await upload(sourceId, [{ id: 1, title: null, text: null }])
    await embedded()
    expect(await keptOf(sourceId)).toMatchObject([{ document: 1 }])
  })

  it('goes with the record, and with the source', async () => {
    const { request, sourceId, searchTitles: titles } = await filled()
    const left = await withClient(world.fleet.env('data').DATABASE_WORKER_URL, async (client) => {
      await client.query('BEGIN')
      await client.query(`DELETE FROM data_records WHERE data_source_id = $1 AND document = 0`, [sourceId])
      const { rows } = await client.query('SELECT document FROM record_chunks WHERE data_source_id = $1', [sourceId])
      await client.query('COMMIT')
      return rows
    })
    expect(left).toEqual([{ document: 1 }])
    expect(await titles('automobile')).toEqual(['Surgery'])
    expect((await request('DELETE', `/v1/data/sources/${sourceId}`)).status).toBe(200)
    expect(await titles('physician')).toEqual([])
    await eventually(async () => (await keptOf(sourceId)).length === 0)
    expect(await world.queryRows('SELECT FROM embedding_progress WHERE data_source_id = $1', [sourceId])).toEqual([])
  })

  it('is seen by its workspace alone', async () => {
    const { workspace: tenant, sourceId } = await filled()
    const tables = ['embedding_spaces', 'embedding_progress', 'record_chunks']
    const seen = (workspaceId: string) =>
      withClient(world.fleet.env('data').DATABASE_URL, async (client) => {
        await client.query(`SELECT set_config('app.workspace_id', $1, false)`, [workspaceId])
        const counts = []
        for (const table of tables) counts.push((await client.query(`SELECT FROM ${table}`)).rowCount)
        return counts
      })
    expect(await seen(tenant.workspaceId)).toEqual([1, 1, 2])
    expect(await seen(world.fleet.stranger.workspaceId)).toEqual([0, 0, 0])
    expect(await keptOf(sourceId)).toHaveLength(2)
  })
})

describe('a provider', () => {
  it('that is too busy is left alone for as long as it says', async () => {
    const { workspace: tenant, upload, waitUntilEmbedded: embedded, sourceId, searchTitles: titles } = await filled()
    let refusals = 0
    world.server.override = () => (refusals++ === 0 ? { status: 429, headers: { 'retry-after': '1' } } : undefined)
    const at = performance.now()
    await upload(sourceId, [{ id: 3, title: 'Shop', text: 'Where to buy things.' }])
    await embedded()
    expect(performance.now() - at).toBeGreaterThan(1_000)
    expect(world.server.requests).toHaveLength(2)
    expect(await spaceOf(tenant.workspaceId)).toMatchObject({ failures: 0 })
    expect(await titles('purchase', { limit: 1 })).toEqual(['Shop'])

    world.server.override = () => ({ status: 503, headers: { 'retry-after': '86400' } })
    await upload(sourceId, [{ id: 4, title: 'Later', text: 'Not now.' }])
    const paused = await eventually(async () => {
      const space = await spaceOf(tenant.workspaceId)
      return space?.failures === 1 && space
    })
    expect(paused.pauseMs).toBeGreaterThan(800_000)
    expect(paused.pauseMs).toBeLessThan(901_000)
  })

  it('that refuses the key is not asked again until there is another', async () => {
    const {
      workspace: tenant,
      request,
      upload,
      waitUntilEmbedded: embedded,
      sourceId,
      searchTitles: titles,
      integration,
    } = await filled()
    world.server.override = ({ authorization }) => (authorization === 'Bearer sk-2' ? undefined : { status: 401 })
    await upload(sourceId, [{ id: 3, title: 'Shop', text: 'Where to buy things.' }])
    const path = `/v1/integrations/integrations/${integration}`
    await eventually(async () => (await request('GET', path)).body.data.status === 'error')
    await eventually(async () => (await request('GET', '/v1/data/search?q=physician&mode=semantic')).status === 409)
    const many = world.server.requests.length
    expect((await request('PATCH', path, { secrets: { api_key: 'sk-2' } })).status).toBe(200)
    expect((await request('POST', `${path}/test`)).body.data.ok).toBe(true)
    await embedded()
    const [, ...later] = world.server.requests.slice(many)
    expect(later.flatMap(({ input }) => input)).toEqual(['Shop\n\nWhere to buy things.'])
    expect(await spaceOf(tenant.workspaceId)).toMatchObject({ failures: 0 })
    expect(await titles('purchase', { limit: 1 })).toEqual(['Shop'])
  })

  it('that changes the size of its vectors is not believed', async () => {
    const { workspace: tenant, request, upload, sourceId, integration } = await filled()
    const { embed: make } = world.server
    world.server.embed = () => [1, 2, 3]
    await upload(sourceId, [{ id: 3, title: 'Shop', text: 'Where to buy things.' }])
    await eventually(async () => ((await spaceOf(tenant.workspaceId))?.failures ?? 0) > 0)
    world.server.embed = make
    expect((await keptOf(sourceId)).map(({ document }) => document)).toEqual([0, 1])
    const { data } = (await request('GET', `/v1/integrations/integrations/${integration}`)).body
    expect(data.status).toBe('connected')
  })

  it('is in use, and may be told which size to make', async () => {
    const workspace = await world.createWorkspace()
    const integration = await workspace.connectProvider({ embedding_dimensions: 320 })
    const sourceId = await workspace.createSource(notes)
    await workspace.waitUntilEmbedded()
    expect((await keptOf(sourceId)).map(({ dimensions }) => dimensions)).toEqual([320, 320])
    expect(await workspace.searchTitles('automobile', { limit: 1 })).toEqual(['Garage'])
    const refused = await workspace.request('DELETE', `/v1/integrations/integrations/${integration}`)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'integration_in_use', users: [{ service: 'data', type: 'search', id: workspace.workspace.workspaceId }] },
    ])
  })
})

describe('another model', () => {
  it('has everything embedded anew, and nothing is compared with what the one before made', async () => {
    const { workspace: tenant, request, waitUntilEmbedded: embedded, sourceId, search, integration } = await filled()
    const before = await spaceOf(tenant.workspaceId)
    const path = `/v1/integrations/integrations/${integration}`
    // First it can only be tried, and asked for queries.
    world.server.override = ({ model, input }) => (model === 'large' && input.length > 1 ? { status: 503 } : undefined)
    expect((await request('PATCH', path, { config: { embedding_model: 'large' } })).status).toBe(200)
    expect((await request('POST', `${path}/test`)).body.data.ok).toBe(true)
    const changed = await eventually(async () => {
      const space = await spaceOf(tenant.workspaceId)
      return space?.space !== before?.space && (space?.failures ?? 0) > 0 && space
    })
    const none = await eventually(
      async () => {
        const answer = await search('automobile')
        return answer.data.length === 0 && answer
      },
      { timeoutMs: 15_000 },
    )
    expect(none.meta.warnings).toEqual([
      { code: 'embeddings_pending', message: expect.stringContaining('Up to 2 records') },
    ])
    expect((await keptOf(sourceId)).map(({ space }) => space)).toEqual([before?.space, before?.space])
    world.server.override = () => undefined
    await embedded()
    expect((await keptOf(sourceId)).map(({ space }) => space)).toEqual([changed.space, changed.space])
    expect((await search('automobile', { limit: 1 })).data).toMatchObject([{ title: 'Garage' }])
  }, 30_000)
})

describe('a turn', () => {
  it('that was taken for another model than there is now embeds nothing', async () => {
    const { workspace: tenant, sourceId, searchTitles: titles } = await filled()
    const before = await keptOf(sourceId)
    await world.queryRows(`UPDATE embedding_spaces SET space = 'other' WHERE workspace_id = $1`, [tenant.workspaceId])
    await eventually(async () => {
      const [row] = await world.queryRows<{ space: string; next: number }>(
        'SELECT space, next_document AS next FROM embedding_progress WHERE data_source_id = $1 AND version > 3',
        [sourceId],
      )
      return row?.space === before[0]?.space && row?.next === 2
    })
    expect(world.server.requestedTexts()).toEqual([])
    expect(await keptOf(sourceId)).toEqual(before)
    expect(await titles('automobile', { limit: 1 })).toEqual(['Garage'])
  })
})

describe('pages of sketches', () => {
  it('part the chunks of a record, and lose none', async () => {
    const { workspace: tenant, sourceId } = await filled()
    const [documents, each] = [60, 41]
    await world.queryRows(
      `INSERT INTO record_chunks (data_source_id, document, hash, workspace_id, space, start, length, sketch, vector)
       SELECT $1, document, int4send(nth), $2, 'made up', 0, 0, '\\x0000000001', '' FROM generate_series(1, $3) AS document,
              generate_series(1, $4) AS nth`,
      [sourceId, tenant.workspaceId, documents, each],
    )
    const pool = new Pool({ connectionString: world.fleet.env('data').DATABASE_WORKER_URL ?? '', max: 1 })
    const counts = new Map<number, number>()
    const pages: number[] = []
    // biome-ignore lint/suspicious/noExplicitAny: as `Query` leaves the rows to who asks
    const query = async (text: string, values: any) => (await pool.query(text, values)).rows as any
    for await (const page of readQuantizedVectors(query, sourceId, 'made up', 1)) {
      pages.push(page.documents.length)
      for (const document of page.documents) counts.set(document, (counts.get(document) ?? 0) + 1)
    }
    await pool.end()
    expect(pages).toEqual([2_000, 460])
    expect([...counts].toSorted(([one], [other]) => one - other)).toEqual(
      Array.from({ length: documents }, (_, nth) => [nth + 1, each]),
    )
  })
})

describe('several replicas', () => {
  it('have turns: who lost one writes nothing', async () => {
    const workspace = await world.createWorkspace()
    await workspace.connectProvider()
    // The fleet's own worker is kept away from it.
    world.server.override = () => ({ status: 503, headers: { 'retry-after': '600' } })
    const sourceId = await workspace.createSource(notes)
    await eventually(async () => ((await spaceOf(workspace.workspace.workspaceId))?.failures ?? 0) > 0)
    await eventually(async () => {
      const [row] = await world.queryRows<{ token: string | null }>(
        'SELECT lease_token AS token FROM embedding_progress WHERE data_source_id = $1',
        [sourceId],
      )
      return row?.token === null
    })
    const pool = new Pool({ connectionString: world.fleet.env('data').DATABASE_WORKER_URL ?? '', max: 4 })
    try {
      expect(await claimEmbeddingLease(pool, 'early')).toBeUndefined()
      const retryNow = 'UPDATE embedding_spaces SET retry_at = now() WHERE workspace_id = $1'
      // In one transaction, or the fleet's worker would be first.
      const taken = await withClient(world.fleet.env('data').DATABASE_WORKER_URL, async (client) => {
        await client.query('BEGIN')
        await client.query(
          `UPDATE embedding_progress SET lease_token = 'first', lease_until = now() + interval '1 minute'
            WHERE data_source_id = $1`,
          [sourceId],
        )
        await client.query(retryNow, [workspace.workspace.workspaceId])
        await client.query('COMMIT')
        return claimEmbeddingLease(pool, 'second')
      })
      expect(taken).toBeUndefined()
      const turn = {
        dataSourceId: sourceId,
        workspaceId: workspace.workspace.workspaceId,
        space: (await spaceOf(workspace.workspace.workspaceId))?.space ?? '',
        nextDocument: 0,
        token: 'first',
      }
      const batch = await readPendingBatch(pool, turn)
      expect(batch).toMatchObject({ records: [{ document: 0 }, { document: 1 }], nextDocument: 2 })
      const vectors = { quantized: Buffer.alloc(5), vector: Buffer.alloc(4) }
      const chunk = { document: 0, hash: Buffer.from('aa', 'hex'), start: 0, length: 1, vectors }
      expect(await saveChunks(pool, { ...turn, token: 'other' }, batch, [chunk])).toBe(false)
      expect(await keptOf(sourceId)).toEqual([])

      // A record that is being deleted meanwhile is left out, and comes again.
      await withClient(world.fleet.env('data').DATABASE_WORKER_URL, async (client) => {
        await client.query('BEGIN')
        await client.query('DELETE FROM data_records WHERE data_source_id = $1 AND document = 1', [sourceId])
        expect(await saveChunks(pool, turn, batch, [chunk, { ...chunk, document: 1 }])).toBe(true)
        await client.query('ROLLBACK')
      })
      expect(await keptOf(sourceId)).toMatchObject([{ document: 0 }])
      const again = await readPendingBatch(pool, { ...turn, nextDocument: 2 })
      expect(again).toMatchObject({ records: [{ document: 1, title: 'Surgery', changeCount: 1 }], nextDocument: 2 })
      // What changes again while it is embedded stays.
      await world.queryRows('UPDATE embedding_changes SET times = 2 WHERE data_source_id = $1', [sourceId])
      expect(await saveChunks(pool, turn, again, [])).toBe(true)
      expect(await readPendingBatch(pool, { ...turn, nextDocument: 2 })).toMatchObject({
        records: [{ changeCount: 2 }],
      })
      expect(
        await saveChunks(pool, turn, { ...again, records: [{ document: 1, title: '', text: '', changeCount: 2 }] }, []),
      ).toBe(true)
      expect(await readPendingBatch(pool, { ...turn, nextDocument: 2 })).toEqual({ records: [], nextDocument: 2 })
      // What has no words any more is nothing.
      await world.queryRows('UPDATE data_records SET words = NULL WHERE data_source_id = $1 AND document = 0', [
        sourceId,
      ])
      expect(await readPendingBatch(pool, turn)).toMatchObject({
        records: [{ title: null, text: null }, { title: 'Surgery' }],
      })
      await releaseEmbeddingLease(pool, turn)
      expect(
        await queryAsWorker(world.fleet.env('data'), `SELECT FROM embedding_progress WHERE lease_token = 'first'`),
      ).toEqual([])
    } finally {
      await pool.end()
    }
  })
})
