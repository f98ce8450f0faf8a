import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { embeddingOf } from '../support/embedding-server.ts'
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
  { id: 3, title: 'Procurement', text: 'Who may buy chairs, and for how much.' },
  { id: 4, title: 'Lunch', text: 'Soup is served warm at noon.' },
]

async function filled(rows: readonly Record<string, unknown>[] = notes) {
  const workspace = await world.createWorkspace()
  const integration = await workspace.connectProvider()
  const sourceId = await workspace.createSource(rows)
  await workspace.waitUntilEmbedded()
  return { ...workspace, integration, sourceId }
}

const chunksOf = (source: string) =>
  world.queryRows<{ document: number; hash: string; space: string; start: number; length: number }>(
    `SELECT document, encode(hash, 'hex') AS hash, space, start, length FROM record_chunks
      WHERE data_source_id = $1 ORDER BY document, start`,
    [source],
  )

const cosine = (one: number[], other: number[]) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) / (Math.hypot(...one) * Math.hypot(...other))

const nearness = (query: string, { title, text }: { title: string; text: string }) =>
  cosine(embeddingOf(query, undefined, 'tiny'), embeddingOf(`${title}\n\n${text}`, undefined, 'tiny'))

describe('a search by meaning', () => {
  it('finds what is said in other words, by the cosine of the nearest part', async () => {
    const { search } = await filled()
    expect((await search('automobile', { mode: 'lexical' })).data).toEqual([])
    const { data, meta } = await search('automobile')
    expect(meta).toEqual({ mode_used: 'semantic', warnings: [] })
    const expected = notes
      .map((note) => ({ title: note.title, score: nearness('automobile', note) }))
      .toSorted((one, other) => other.score - one.score)
    expect(data[0].title).toBe('Garage')
    expect(data).toHaveLength(4)
    for (const { title, score } of data)
      expect(score).toBeCloseTo(expected.find((one) => one.title === title)?.score ?? 2, 5)
    expect(data.map(({ score }: { score: number }) => score)).toEqual(
      data.map(({ score }: { score: number }) => score).toSorted((one: number, other: number) => other - one),
    )
    expect((await search('physician', { limit: 1 })).data).toMatchObject([
      { title: 'Surgery', snippet: 'The doctor sees patients in the morning.' },
    ])
  })

  it('shows the part that says it, of a long text', async () => {
    const filler = (word: string) =>
      Array.from({ length: 40 }, (_, nth) => `${word} sentence ${nth} says little.`).join(' ')
    const text = `${filler('First')} The physician arrives 🚑 by car at seven. ${filler('Later')}`
    const { search, sourceId } = await filled([...notes, { id: 5, title: 'Minutes', text }])
    const chunks = (await chunksOf(sourceId)).filter(({ document }) => document === 4)
    expect(chunks.length).toBeGreaterThan(1)
    const [hit] = (await search('the medic arrives by automobile', { filters: { id: 5 } })).data
    expect(hit.title).toBe('Minutes')
    const [nearest] = chunks
      .map(({ start, length }) => [...text].slice(start, start + length).join(''))
      .map((part) => ({ part, score: nearness('the medic arrives by automobile', { title: 'Minutes', text: part }) }))
      .toSorted((one, other) => other.score - one.score)
    expect(nearest?.part).toContain('physician')
    expect(nearest?.part).toContain(hit.snippet.slice(0, 40))
    expect(hit.score).toBeCloseTo(nearest?.score ?? 2, 5)
  })

  it('is filtered, counted, cut off and turned page by page like any other', async () => {
    const { search, searchTitles: titles } = await filled(
      Array.from({ length: 30 }, (_, id) => ({
        id,
        title: `Note ${String.fromCharCode(65 + (id % 26)).repeat(3)}`,
        text: `${'car '.repeat((id % 9) + 1)}stands beside ${'tree '.repeat(id % 5)}`,
        floor: id % 3,
      })),
    )
    const all = await search('vehicle', { limit: 100, facets: ['floor'] })
    expect(all.data).toHaveLength(30)
    expect(all.meta.facets.floor.toSorted((a: { value: number }, b: { value: number }) => a.value - b.value)).toEqual([
      { value: 0, count: 10 },
      { value: 1, count: 10 },
      { value: 2, count: 10 },
    ])
    for (const mode of ['semantic', 'hybrid']) {
      const whole = await search('vehicle car', { mode, limit: 100 })
      const seen: unknown[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await search('vehicle car', { mode, limit: 7, ...(cursor && { cursor }) })
        seen.push(...page.data)
        cursor = page.pagination.next_cursor ?? undefined
        if (cursor === undefined) break
      }
      expect(seen).toEqual(whole.data)
      const least = whole.data[9].score
      const good = await search('vehicle car', { mode, limit: 100, min_score: least })
      expect(good.data).toEqual(whole.data.filter(({ score }: { score: number }) => score >= least))
      const upstairs = await search('vehicle car', { mode, limit: 100, filters: { floor: { gte: 1 } } })
      expect(upstairs.data).toHaveLength(20)
    }
    expect(await titles('automobile', { limit: 1, filters: { floor: 7 } })).toEqual([])
    expect((await search('"stands beside tree"', { limit: 100 })).data).toHaveLength(24)
  })

  it('goes through all there is, the same whether it was read before or not', async () => {
    const many = 2_100
    // Of its two parts one says it, the other less than any of the others.
    const long = `${'An automobile. '.repeat(40)}${'Number one. '.repeat(150)}`
    const rows = Array.from({ length: many }, (_, id) => ({
      id,
      title: null,
      text: `Number ${'one '.repeat(1 + (id % 7))}`,
      kind: 'x',
    }))
    const {
      search,
      upload,
      sourceId,
      waitUntilEmbedded: embedded,
    } = await filled([...rows, { id: many, text: long, kind: 'x' }])
    const first = await search('vehicle', { facets: ['kind'] })
    expect(first.meta.facets).toEqual({ kind: [{ value: 'x', count: many + 1 }] })
    expect(first.data[0].snippet).toMatch(/^An automobile\./)
    expect(await search('vehicle', { facets: ['kind'] })).toEqual(first)
    await upload(sourceId, [{ id: many + 1, text: 'A vehicle.', kind: 'x' }])
    await embedded()
    const { data } = await search('vehicle', { limit: 2 })
    expect(data.map(({ snippet }: { snippet: string }) => snippet.slice(0, 10)).toSorted()).toEqual([
      'A vehicle.',
      'An automob',
    ])
  }, 30_000)

  it('goes through the sources that are named', async () => {
    const { search, sourceId: first, createSource: source, waitUntilEmbedded: embedded } = await filled()
    const second = await source(notes.slice(0, 2))
    await embedded()
    const { data } = await search('automobile', { data_source_ids: [second], limit: 100 })
    expect(data.map(({ data_source_id: id }: { data_source_id: string }) => id)).toEqual([second, second])
    expect((await search('automobile', { limit: 100 })).data).toHaveLength(6)
    expect((await search('automobile', { data_source_ids: [first], limit: 100 })).data).toHaveLength(4)
  })
})

describe('both together', () => {
  it('are fused by reciprocal ranks, as the reference says', async () => {
    const words = ['car', 'automobile', 'doctor', 'tree', 'soup', 'window', 'vehicle']
    const { search } = await filled(
      Array.from({ length: 60 }, (_, id) => ({
        id,
        title: `Note ${id}`,
        text: Array.from({ length: 6 }, (_word, nth) => words[(id * (nth + 3) + nth * nth) % words.length]).join(' '),
      })),
    )
    const query = 'automobile beside the soup'
    const ranks = async (mode: string) =>
      (await search(query, { mode, limit: 100 })).data.map(({ record_id: id }: { record_id: string }) => id)
    const rankings: string[][] = [await ranks('lexical'), await ranks('semantic')]
    expect(rankings[0]?.length).toBeGreaterThan(5)
    expect(rankings[0]?.length).toBeLessThan(60)
    const reference = new Map<string, number>()
    for (const ranking of rankings)
      for (const [place, id] of ranking.entries()) reference.set(id, (reference.get(id) ?? 0) + 1 / (60 + place + 1))
    const { data, meta } = await search(query, { mode: 'hybrid', limit: 100 })
    expect(meta).toEqual({ mode_used: 'hybrid', warnings: [] })
    expect(data).toHaveLength(60)
    const scores = data.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((one: number, other: number) => other - one))
    for (const { record_id: id, score } of data) expect(score).toBeCloseTo(reference.get(id) ?? 2, 12)
  })

  it('mark the words where there are some, and show the nearest part where not', async () => {
    const text = `${'A car. '.repeat(120)}${'Nothing here. '.repeat(120)}The doctor is a zebra.`
    const { search } = await filled([...notes, { id: 5, title: 'Zoo', text }])
    const { data } = await search('doctor automobile', { mode: 'hybrid', highlight: true })
    expect(data.find(({ title }: { title: string }) => title === 'Surgery').snippet).toBe(
      'The <mark>doctor</mark> sees patients in the morning.',
    )
    expect(data.find(({ title }: { title: string }) => title === 'Garage').snippet).toBe(
      'Where each car is parked overnight.',
    )
    expect((await search('zebra automobile', { filters: { id: 5 } })).data[0].snippet).toMatch(/^A car\./)
    const [zoo] = (await search('zebra automobile', { mode: 'hybrid', highlight: true, filters: { id: 5 } })).data
    expect(zoo.snippet).toContain('<mark>zebra</mark>')
  })
})

describe('without embeddings', () => {
  it('is refused, or done by words', async () => {
    const workspace = await world.createWorkspace()
    await workspace.createSource(notes)
    const refused = await workspace.request('POST', '/v1/data/search', { query: 'car', mode: 'semantic' })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'embeddings_not_connected', errors: [{ pointer: '/mode' }] },
    ])
    const asked = await workspace.request('GET', '/v1/data/search?q=car&mode=semantic')
    expect([asked.status, asked.body.errors]).toMatchObject([409, [{ pointer: '?mode' }]])
    expect(await workspace.search('car ', { mode: 'hybrid' })).toMatchObject({
      data: [{ title: 'Garage' }],
      meta: { mode_used: 'lexical', warnings: [{ code: 'embeddings_not_connected' }], total: 1 },
    })
  })

  it('says how many records wait', async () => {
    const { search, sourceId, upload } = await filled()
    world.server.override = ({ input }) => (input.length > 1 ? { status: 503 } : undefined)
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

  it('that can be had only now, search by words says so and goes on so', async () => {
    const { search, request } = await filled([...notes, { id: 7, title: 'Ramp', text: 'The car goes down.' }])
    world.server.override = () => ({ status: 500 })
    const refused = await request('POST', '/v1/data/search', { query: 'a warm car', mode: 'semantic' })
    expect([refused.status, refused.body]).toMatchObject([
      503,
      { code: 'embeddings_unavailable', detail: expect.stringContaining('answered 500') },
    ])
    const first = await search('a warm car ', { mode: 'hybrid', limit: 1 })
    expect(first.meta).toMatchObject({ mode_used: 'lexical', warnings: [{ code: 'embeddings_unavailable' }], total: 3 })
    world.server.override = () => undefined
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
    world.server.override = () => ({ status: 500 })
    const further = { query: 'another hot car', mode: 'hybrid', cursor: both.pagination.next_cursor }
    expect((await request('POST', '/v1/data/search', further)).body.code).toBe('embeddings_unavailable')
  })

  it('does not wait long for a provider that says nothing', async () => {
    const { search } = await filled()
    world.server.override = () => 'silence'
    expect((await search('an unheard car ', { mode: 'hybrid' })).meta).toMatchObject({
      mode_used: 'lexical',
      warnings: [{ code: 'embeddings_unavailable', message: expect.stringContaining('took longer') }],
    })
  }, 15_000)
})

describe('a query', () => {
  it('is embedded once, with the key of the integration', async () => {
    const { search, integration } = await filled()
    world.server.requests.length = 0
    await search('who may acquire a vehicle')
    await search('who may acquire a vehicle', { mode: 'hybrid' })
    expect(world.server.requests).toEqual([
      { model: 'tiny', input: ['who may acquire a vehicle'], encoding_format: 'float', authorization: 'Bearer sk-1' },
    ])
    const audited = await eventuallyAudited(integration)
    expect(audited.every(({ actor }) => actor.id === 'svc:data')).toBe(true)
  })

  async function eventuallyAudited(integration: string) {
    const { queryAsWorker: asWorker } = await import('../support/database.ts')
    return eventually(async () => {
      const rows = await asWorker<{ actor: { id: string } }>(
        world.fleet.env('integrations'),
        `SELECT data->'actor' AS actor FROM platform.outbox
          WHERE data->>'action' = 'integration.secret_used' AND data::text LIKE $1`,
        [`%${integration}%`],
      )
      return rows.length > 0 && rows
    })
  }
})

describe('another workspace', () => {
  it('sees nothing of it', async () => {
    const mine = await filled()
    const theirs = await filled([{ id: 1, title: 'Theirs', text: 'One car.' }])
    expect(await theirs.searchTitles('automobile')).toEqual(['Theirs'])
    expect(await mine.searchTitles('automobile', { limit: 1 })).toEqual(['Garage'])
    const refused = await theirs.request('POST', '/v1/data/search', {
      query: 'automobile',
      mode: 'semantic',
      data_source_ids: [mine.sourceId],
    })
    expect([refused.status, refused.body.code]).toEqual([400, 'unknown_reference'])
  })
})
