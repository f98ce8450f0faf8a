import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, openWorkerPool } from '@wp/testkit'
import type { Pool } from 'pg'
import { maxTextLength } from '../../src/embeddings/chunks.ts'
import { EmbeddingFailure } from '../../src/embeddings/embedding-failure.ts'
import { pauseAfterFailure } from '../../src/embeddings/embedding-schedules.ts'
import { readQuantizedVectors } from '../../src/store/embeddings/chunk-vectors.ts'
import { claimEmbeddingLease, releaseEmbeddingLease } from '../../src/store/embeddings/embedding-leases.ts'
import { readPendingBatch } from '../../src/store/embeddings/pending-documents.ts'
import { saveChunks } from '../../src/store/embeddings/save-chunks.ts'
import { queryAsWorker, withClient } from '../support/database.ts'
import { type SemanticWorkspace, startSemanticFleet } from '../support/semantic-fleet.ts'

const test = await startSemanticFleet()
afterAll(() => test.stop())
afterEach(() => {
  test.server.override = () => undefined
})

const notes = [
  { id: 1, title: 'Garage', text: 'Where each car is parked overnight.' },
  { id: 2, title: 'Surgery', text: 'The doctor sees patients in the morning.' },
]

/** Creates a workspace with embedded records, and forgets the requests it took. */
async function createEmbeddedWorkspace(rows: readonly Record<string, unknown>[] = notes) {
  const semantic = await test.createWorkspace()
  const integrationId = await semantic.connectProvider()
  const sourceId = await semantic.createSource(rows)
  await semantic.waitUntilEmbedded()
  test.server.requests.length = 0
  return { ...semantic, integrationId, sourceId, workspaceId: semantic.workspace.workspaceId }
}

const readChunks = (sourceId: string) =>
  test.queryRows<{ document: number; space: string; dimensions: number }>(
    `SELECT document, space, octet_length(vector) / 4 AS dimensions FROM record_chunks
      WHERE data_source_id = $1 ORDER BY document, start`,
    [sourceId],
  )

const readSpace = async (workspaceId: string) =>
  (
    await test.queryRows<{ space: string; failures: number; pauseMs: number }>(
      `SELECT space, failures, extract(epoch FROM retry_at - clock_timestamp())::float * 1000 AS "pauseMs" FROM embedding_spaces
        WHERE workspace_id = $1`,
      [workspaceId],
    )
  )[0]

const waitForFailures = (workspaceId: string) =>
  eventually(async () => {
    const space = await readSpace(workspaceId)
    return (space?.failures ?? 0) > 0 && space
  })

const workerUrl = () => test.fleet.env('data').DATABASE_WORKER_URL ?? ''

const longText = (ending: string) =>
  `${Array.from({ length: 90 }, (_, nth) => `This is sentence number ${nth} of the minutes.`).join(' ')} ${ending}`

describe('the embedding worker', () => {
  it('embeds each chunk once, and only changed chunks after a change', async () => {
    const { upload, waitUntilEmbedded, sourceId, searchTitles } = await createEmbeddedWorkspace([
      ...notes,
      { id: 3, title: 'Minutes', text: longText('End.') },
    ])
    const before = await readChunks(sourceId)
    expect(before.filter(({ document }) => document === 2).length).toBeGreaterThan(2)
    await upload(sourceId, [{ id: 3, title: 'Minutes', text: longText('The physician left.'), seen: true }])
    await waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual([expect.stringContaining('The physician left.')])
    expect(await readChunks(sourceId)).toHaveLength(before.length)
    expect(await searchTitles('when the medic left', { limit: 2 })).toContain('Minutes')

    test.server.requests.length = 0
    await upload(sourceId, [{ id: 3, title: 'Minutes', text: longText('The physician left.'), seen: false }])
    await upload(sourceId, [{ id: 4, title: 'Garage', text: 'Where each car is parked overnight.' }])
    await upload(sourceId, [{ id: 5, title: 'Nothing', text: 'New.' }])
    await waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual(['Nothing\n\nNew.'])
  })

  it('reuses the embedding of a text in another source of the workspace, but not of another workspace', async () => {
    const { createSource, waitUntilEmbedded, sourceId, search } = await createEmbeddedWorkspace()
    const copyId = await createSource(notes.map(({ id, ...note }) => ({ id: id + 100, ...note })))
    await waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual([])
    const { data } = await search('automobile', { limit: 2 })
    expect(data.map(({ data_source_id: id }: { data_source_id: string }) => id).sort()).toEqual(
      [sourceId, copyId].sort(),
    )
    expect(data[0]).toMatchObject({ title: 'Garage', score: data[1].score })
    test.server.requests.length = 0
    const other = await test.createWorkspace()
    await other.connectProvider()
    await other.createSource(notes)
    await other.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toHaveLength(notes.length)
  })

  it('removes a changed record from semantic results until it is embedded again', async () => {
    const { upload, waitUntilEmbedded, sourceId, search, searchTitles } = await createEmbeddedWorkspace()
    await searchTitles('automobile')
    test.server.override = () => ({ status: 503 })
    await upload(sourceId, [{ id: 1, title: 'Kitchen', text: 'Soup is served.' }])
    const { data, meta } = await search('automobile')
    expect(data).toMatchObject([{ title: 'Surgery' }])
    expect(meta.warnings).toEqual([{ code: 'embeddings_pending', message: expect.stringContaining('Up to 1 ') }])
    test.server.override = () => undefined
    await waitUntilEmbedded()
    expect((await search('soup', { limit: 1 })).data).toMatchObject([{ title: 'Kitchen' }])
    await upload(sourceId, [{ id: 1, title: null, text: null }])
    await waitUntilEmbedded()
    expect(await readChunks(sourceId)).toMatchObject([{ document: 1 }])
  })

  it('has nothing left of a deleted record or source', async () => {
    const { request, sourceId, searchTitles } = await createEmbeddedWorkspace()
    const remaining = await withClient(workerUrl(), async (client) => {
      await client.query('BEGIN')
      await client.query(`DELETE FROM data_records WHERE data_source_id = $1 AND document = 0`, [sourceId])
      const { rows } = await client.query('SELECT document FROM record_chunks WHERE data_source_id = $1', [sourceId])
      await client.query('COMMIT')
      return rows
    })
    expect(remaining).toEqual([{ document: 1 }])
    expect(await searchTitles('automobile')).toEqual(['Surgery'])
    expect((await request('DELETE', `/v1/data/sources/${sourceId}`)).status).toBe(200)
    expect(await searchTitles('physician')).toEqual([])
    await eventually(async () => (await readChunks(sourceId)).length === 0)
    expect(await test.queryRows('SELECT FROM embedding_progress WHERE data_source_id = $1', [sourceId])).toEqual([])
  })

  it('embeds nothing under a lease of an outdated space', async () => {
    const { workspaceId, sourceId, searchTitles } = await createEmbeddedWorkspace()
    const before = await readChunks(sourceId)
    await test.queryRows(`UPDATE embedding_spaces SET space = 'other' WHERE workspace_id = $1`, [workspaceId])
    await eventually(async () => {
      const [row] = await test.queryRows<{ space: string; nextDocument: number }>(
        `SELECT space, next_document AS "nextDocument" FROM embedding_progress
          WHERE data_source_id = $1 AND version > 3`,
        [sourceId],
      )
      return row?.space === before[0]?.space && row?.nextDocument === 2
    })
    expect(test.server.requestedTexts()).toEqual([])
    expect(await readChunks(sourceId)).toEqual(before)
    expect(await searchTitles('automobile', { limit: 1 })).toEqual(['Garage'])
  })

  it('embeds everything again after a change of the model, and never compares vectors of two models', async () => {
    const { workspaceId, request, waitUntilEmbedded, sourceId, search, integrationId } = await createEmbeddedWorkspace()
    const before = await readSpace(workspaceId)
    const path = `/v1/integrations/integrations/${integrationId}`
    // The new model accepts connection tests and queries, which have one text, but no records yet.
    test.server.override = ({ model, input }) => (model === 'large' && input.length > 1 ? { status: 503 } : undefined)
    expect((await request('PATCH', path, { config: { embedding_model: 'large' } })).status).toBe(200)
    expect((await request('POST', `${path}/test`)).body.data.ok).toBe(true)
    const changed = await eventually(async () => {
      const space = await readSpace(workspaceId)
      return space?.space !== before?.space && (space?.failures ?? 0) > 0 && space
    })
    const empty = await eventually(async () => {
      const response = await search('automobile')
      return response.data.length === 0 && response
    })
    expect(empty.meta.warnings).toEqual([
      { code: 'embeddings_pending', message: expect.stringContaining('Up to 2 records') },
    ])
    expect((await readChunks(sourceId)).map(({ space }) => space)).toEqual([before?.space, before?.space])
    test.server.override = () => undefined
    await waitUntilEmbedded()
    expect((await readChunks(sourceId)).map(({ space }) => space)).toEqual([changed.space, changed.space])
    expect((await search('automobile', { limit: 1 })).data).toMatchObject([{ title: 'Garage' }])
  })
})

describe('embedding tables', () => {
  it('show a workspace only its own rows', async () => {
    const { workspaceId, sourceId } = await createEmbeddedWorkspace()
    const tables = ['embedding_spaces', 'embedding_progress', 'record_chunks']
    const countVisible = (id: string) =>
      withClient(test.fleet.env('data').DATABASE_URL, async (client) => {
        await client.query(`SELECT set_config('app.workspace_id', $1, false)`, [id])
        const counts = []
        for (const table of tables) counts.push((await client.query(`SELECT FROM ${table}`)).rowCount)
        return counts
      })
    expect(await countVisible(workspaceId)).toEqual([1, 1, 2])
    expect(await countVisible(test.fleet.stranger.workspaceId)).toEqual([0, 0, 0])
    expect(await readChunks(sourceId)).toHaveLength(2)
  })
})

describe('an embedding provider', () => {
  it('is not called again before its Retry-After has passed', async () => {
    const { workspaceId, upload, waitUntilEmbedded, sourceId, searchTitles } = await createEmbeddedWorkspace()
    test.server.override = () => ({ status: 429, headers: { 'retry-after': '86400' } })
    await upload(sourceId, [{ id: 3, title: 'Shop', text: 'Where to buy things.' }])
    // Failure count and pause are written in one transaction. The pause is capped at 900,000 ms.
    const { failures, pauseMs } = await waitForFailures(workspaceId)
    expect(failures).toBe(1)
    expect(pauseMs).toBeGreaterThan(0)
    expect(pauseMs).toBeLessThanOrEqual(900_000)
    test.server.override = () => undefined
    const pool = openWorkerPool(workerUrl(), 1)
    expect(await claimEmbeddingLease(pool, 'during the pause')).toBeUndefined()
    await pool.end()
    expect(test.server.requests).toHaveLength(1)

    await test.queryRows('UPDATE embedding_spaces SET retry_at = now() WHERE workspace_id = $1', [workspaceId])
    await waitUntilEmbedded()
    expect(test.server.requests).toHaveLength(2)
    expect(await readSpace(workspaceId)).toMatchObject({ failures: 0 })
    expect(await searchTitles('purchase', { limit: 1 })).toEqual(['Shop'])
  })

  it('that rejects the key is not called again until the key is changed', async () => {
    const { workspaceId, request, upload, waitUntilEmbedded, sourceId, searchTitles, integrationId } =
      await createEmbeddedWorkspace()
    test.server.override = ({ authorization }) => (authorization === 'Bearer sk-2' ? undefined : { status: 401 })
    await upload(sourceId, [{ id: 3, title: 'Shop', text: 'Where to buy things.' }])
    const path = `/v1/integrations/integrations/${integrationId}`
    await eventually(async () => (await request('GET', path)).body.data.status === 'error')
    await eventually(async () => (await request('GET', '/v1/data/search?q=physician&mode=semantic')).status === 409)
    const requestsBefore = test.server.requests.length
    expect((await request('PATCH', path, { secrets: { api_key: 'sk-2' } })).status).toBe(200)
    expect((await request('POST', `${path}/test`)).body.data.ok).toBe(true)
    await waitUntilEmbedded()
    const inputs = test.server.requests.slice(requestsBefore).flatMap(({ input }) => input)
    expect(inputs.filter((text) => text.startsWith('Shop'))).toEqual(['Shop\n\nWhere to buy things.'])
    expect(await readSpace(workspaceId)).toMatchObject({ failures: 0 })
    expect(await searchTitles('purchase', { limit: 1 })).toEqual(['Shop'])
  })

  it('fails, without being marked as broken, when the size of its vectors changes', async () => {
    const { workspaceId, request, upload, waitUntilEmbedded, sourceId, integrationId } = await createEmbeddedWorkspace()
    const { embed } = test.server
    test.server.embed = () => [1, 2, 3]
    await upload(sourceId, [{ id: 3, title: 'Shop', text: 'Where to buy things.' }])
    await waitForFailures(workspaceId)
    test.server.embed = embed
    expect((await readChunks(sourceId)).map(({ document }) => document)).toEqual([0, 1])
    const { data } = (await request('GET', `/v1/integrations/integrations/${integrationId}`)).body
    expect(data.status).toBe('connected')
    await waitUntilEmbedded()
  })

  it('makes vectors of the configured size, and is in use by the search of the workspace', async () => {
    const semantic = await test.createWorkspace()
    const integrationId = await semantic.connectProvider({ embedding_dimensions: 320 })
    const sourceId = await semantic.createSource(notes)
    await semantic.waitUntilEmbedded()
    expect((await readChunks(sourceId)).map(({ dimensions }) => dimensions)).toEqual([320, 320])
    expect(await semantic.searchTitles('automobile', { limit: 1 })).toEqual(['Garage'])
    const refused = await semantic.request('DELETE', `/v1/integrations/integrations/${integrationId}`)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'integration_in_use', users: [{ service: 'data', type: 'search', id: semantic.workspace.workspaceId }] },
    ])
  })
})

describe('pauseAfterFailure', () => {
  it.each([
    ['the Retry-After of the provider', { retryAfterMs: 7_000 }, 1, 7_000],
    ['15 minutes when the provider asks for more', { retryAfterMs: 86_400_000 }, 1, 900_000],
    ['1 s after the first failure', {}, 1, 1_000],
    ['twice as long after each further failure', {}, 4, 8_000],
    ['at most 5 minutes', {}, 40, 300_000],
  ])('is %s', (_what, options, failures, expected) => {
    const failure = new EmbeddingFailure('unavailable', 'overloaded', options)
    expect(pauseAfterFailure(failure, failures, 0)).toBe(expected)
  })
})

describe('readQuantizedVectors', () => {
  it('reads every chunk once when a page ends within a record', async () => {
    const { workspaceId, sourceId } = await createEmbeddedWorkspace()
    const [documents, chunksPerDocument] = [60, 41]
    await test.queryRows(
      `INSERT INTO record_chunks (data_source_id, document, hash, workspace_id, space, start, length, quantized_vector, vector)
       SELECT $1, document, int4send(nth), $2, 'made up', 0, 0, '\\x0000000001', '' FROM generate_series(1, $3) AS document,
              generate_series(1, $4) AS nth`,
      [sourceId, workspaceId, documents, chunksPerDocument],
    )
    const pool = openWorkerPool(workerUrl(), 1)
    const counts = new Map<number, number>()
    const pageSizes: number[] = []
    // biome-ignore lint/suspicious/noExplicitAny: `Query` lets its caller choose the row type
    const query = async (text: string, values: any) => (await pool.query(text, values)).rows as any
    for await (const page of readQuantizedVectors(query, sourceId, 'made up', 1)) {
      pageSizes.push(page.documents.length)
      for (const document of page.documents) counts.set(document, (counts.get(document) ?? 0) + 1)
    }
    await pool.end()
    expect(pageSizes).toEqual([2_000, 460])
    expect([...counts].toSorted(([a], [b]) => a - b)).toEqual(
      Array.from({ length: documents }, (_, nth) => [nth + 1, chunksPerDocument]),
    )
  })
})

describe('an embedding lease', () => {
  let pool: Pool
  beforeAll(() => {
    pool = openWorkerPool(workerUrl(), 4)
  })
  afterAll(() => pool.end())
  let semantic: SemanticWorkspace
  afterEach(async () => {
    // Embeds all records, so that the next test cannot claim their lease.
    test.server.override = () => undefined
    const { workspaceId } = semantic.workspace
    await test.queryRows('UPDATE embedding_spaces SET retry_at = now() WHERE workspace_id = $1', [workspaceId])
    await test.queryRows('UPDATE embedding_progress SET lease_until = now() WHERE workspace_id = $1', [workspaceId])
    await semantic.waitUntilEmbedded()
  })

  /** Creates a source whose lease `first` belongs to the test; the provider pauses the worker of the fleet. */
  async function createLeasedSource() {
    semantic = await test.createWorkspace()
    const { workspaceId } = semantic.workspace
    await semantic.connectProvider()
    test.server.override = () => ({ status: 503, headers: { 'retry-after': '600' } })
    const dataSourceId = await semantic.createSource(notes)
    await waitForFailures(workspaceId)
    await eventually(async () => {
      const [row] = await test.queryRows<{ token: string | null }>(
        'SELECT lease_token AS token FROM embedding_progress WHERE data_source_id = $1',
        [dataSourceId],
      )
      return row?.token === null
    })
    expect(await claimEmbeddingLease(pool, 'paused')).toBeUndefined()
    // In one transaction, so that the worker of the fleet cannot claim the lease first.
    await withClient(workerUrl(), async (client) => {
      await client.query('BEGIN')
      await client.query(
        `UPDATE embedding_progress SET lease_token = 'first', lease_until = now() + interval '1 minute'
          WHERE data_source_id = $1`,
        [dataSourceId],
      )
      await client.query('UPDATE embedding_spaces SET retry_at = now() WHERE workspace_id = $1', [workspaceId])
      await client.query('COMMIT')
    })
    const space = (await readSpace(workspaceId))?.space ?? ''
    return { dataSourceId, workspaceId, space, nextDocument: 0, token: 'first' }
  }

  const vectors = { quantizedVector: Buffer.alloc(5), vector: Buffer.alloc(4) }
  const chunk = { document: 0, hash: Buffer.from('aa', 'hex'), start: 0, length: 1, vectors }

  it('excludes other workers, and saves nothing once it is lost', async () => {
    const lease = await createLeasedSource()
    expect(await claimEmbeddingLease(pool, 'second')).toBeUndefined()
    const batch = await readPendingBatch(pool, lease, maxTextLength)
    expect(batch).toMatchObject({ records: [{ document: 0 }, { document: 1 }], nextDocument: 2 })
    expect(await saveChunks(pool, { ...lease, token: 'other' }, batch, [chunk])).toBe(false)
    expect(await readChunks(lease.dataSourceId)).toEqual([])
    test.server.override = () => undefined
    await releaseEmbeddingLease(pool, lease)
    const leased = `SELECT FROM embedding_progress WHERE lease_token = 'first'`
    expect(await queryAsWorker(test.fleet.env('data'), leased)).toEqual([])
  })

  it('embeds a record again when its deletion was rolled back, or it changed while it was embedded', async () => {
    const lease = await createLeasedSource()
    const { dataSourceId } = lease
    const batch = await readPendingBatch(pool, lease, maxTextLength)
    await withClient(workerUrl(), async (client) => {
      await client.query('BEGIN')
      await client.query('DELETE FROM data_records WHERE data_source_id = $1 AND document = 1', [dataSourceId])
      expect(await saveChunks(pool, lease, batch, [chunk, { ...chunk, document: 1 }])).toBe(true)
      await client.query('ROLLBACK')
    })
    expect(await readChunks(dataSourceId)).toMatchObject([{ document: 0 }])

    const progressed = { ...lease, nextDocument: 2 }
    const changed = await readPendingBatch(pool, progressed, maxTextLength)
    expect(changed).toMatchObject({ records: [{ document: 1, title: 'Surgery', changeCount: 1 }], nextDocument: 2 })
    await test.queryRows('UPDATE embedding_changes SET change_count = 2 WHERE data_source_id = $1', [dataSourceId])
    expect(await saveChunks(pool, lease, changed, [])).toBe(true)
    expect(await readPendingBatch(pool, progressed, maxTextLength)).toMatchObject({ records: [{ changeCount: 2 }] })
    const latest = { ...changed, records: [{ document: 1, title: '', text: '', changeCount: 2 }] }
    expect(await saveChunks(pool, lease, latest, [])).toBe(true)
    expect(await readPendingBatch(pool, progressed, maxTextLength)).toEqual({ records: [], nextDocument: 2 })
  })

  it('reads a record without words as empty', async () => {
    const lease = await createLeasedSource()
    await test.queryRows('UPDATE data_records SET words = NULL WHERE data_source_id = $1 AND document = 0', [
      lease.dataSourceId,
    ])
    expect(await readPendingBatch(pool, lease, maxTextLength)).toMatchObject({
      records: [{ title: null, text: null }, { title: 'Surgery' }],
    })
  })
})
