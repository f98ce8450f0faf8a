import { describe, expect, it } from '@jest/globals'
import { embeddingOf } from '../../support/embedding-server.ts'
import type { SemanticFleet } from '../../support/semantic-fleet.ts'

export const notes = [
  { id: 1, title: 'Garage', text: 'Where each car is parked overnight.' },
  { id: 2, title: 'Surgery', text: 'The doctor sees patients in the morning.' },
  { id: 3, title: 'Procurement', text: 'Who may buy chairs, and for how much.' },
  { id: 4, title: 'Lunch', text: 'Soup is served warm at noon.' },
]

const cosine = (a: number[], b: number[]) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b))

const similarity = (query: string, { title, text }: { title: string; text: string }) =>
  cosine(embeddingOf(query, undefined, 'tiny'), embeddingOf(`${title}\n\n${text}`, undefined, 'tiny'))

/** Creates a workspace whose records, by default the notes, are embedded. */
export async function createEmbedded(fleet: SemanticFleet, rows: readonly Record<string, unknown>[] = notes) {
  const workspace = await fleet.createWorkspace()
  const integration = await workspace.connectProvider()
  const sourceId = await workspace.createSource(rows)
  await workspace.waitUntilEmbedded()
  return { ...workspace, integration, sourceId }
}

/**
 * Declares the tests of searches by meaning, which every engine passes.
 * @param manyVectors more than the engine reads at once; default for PostgreSQL, which reads pages of 2,000
 */
export function describeSemanticSearch(testOf: () => SemanticFleet, manyVectors = 2_100): void {
  const createEmbeddedWorkspace = (rows?: readonly Record<string, unknown>[]) => createEmbedded(testOf(), rows)

  const readChunks = (source: string) =>
    testOf().queryRows<{ document: number; hash: string; space: string; start: number; length: number }>(
      `SELECT document, encode(hash, 'hex') AS hash, space, start, length FROM record_chunks
      WHERE data_source_id = $1 ORDER BY document, start`,
      [source],
    )

  describe('a semantic search', () => {
    it('finds synonyms and scores by the cosine similarity of the nearest chunk', async () => {
      const { search } = await createEmbeddedWorkspace()
      expect((await search('automobile', { mode: 'lexical' })).data).toEqual([])
      const { data, meta } = await search('automobile')
      expect(meta).toEqual({ mode_used: 'semantic', warnings: [] })
      const expected = notes
        .map((note) => ({ title: note.title, score: similarity('automobile', note) }))
        .toSorted((a, b) => b.score - a.score)
      expect(data[0].title).toBe('Garage')
      expect(data).toHaveLength(4)
      for (const { title, score } of data)
        expect(score).toBeCloseTo(expected.find((note) => note.title === title)?.score ?? 2, 5)
      expect(data.map(({ score }: { score: number }) => score)).toEqual(
        data.map(({ score }: { score: number }) => score).toSorted((a: number, b: number) => b - a),
      )
      expect((await search('physician', { limit: 1 })).data).toMatchObject([
        { title: 'Surgery', snippet: 'The doctor sees patients in the morning.' },
      ])
    })

    it('shows the nearest chunk of a long text', async () => {
      const filler = (word: string) =>
        Array.from({ length: 40 }, (_, nth) => `${word} sentence ${nth} says little.`).join(' ')
      const text = `${filler('First')} The physician arrives 🚑 by car at seven. ${filler('Later')}`
      const { search, sourceId } = await createEmbeddedWorkspace([...notes, { id: 5, title: 'Minutes', text }])
      const chunks = (await readChunks(sourceId)).filter(({ document }) => document === 4)
      expect(chunks.length).toBeGreaterThan(1)
      const [hit] = (await search('the medic arrives by automobile', { filters: { id: 5 } })).data
      expect(hit.title).toBe('Minutes')
      const [nearest] = chunks
        .map(({ start, length }) => [...text].slice(start, start + length).join(''))
        .map((part) => ({
          part,
          score: similarity('the medic arrives by automobile', { title: 'Minutes', text: part }),
        }))
        .toSorted((a, b) => b.score - a.score)
      expect(nearest?.part).toContain('physician')
      expect(nearest?.part).toContain(hit.snippet.slice(0, 40))
      expect(hit.score).toBeCloseTo(nearest?.score ?? 2, 5)
    })

    it('supports filters, facets, a minimum score and paging', async () => {
      const { search, searchTitles } = await createEmbeddedWorkspace(
        Array.from({ length: 30 }, (_, id) => ({
          id,
          title: `Note ${String.fromCharCode(65 + (id % 26)).repeat(3)}`,
          text: `${'car '.repeat((id % 9) + 1)}stands beside ${'tree '.repeat(id % 5)}`,
          floor: id % 3,
        })),
      )
      const all = await search('vehicle', { limit: 100, facets: ['floor'] })
      expect(all.data).toHaveLength(30)
      expect(all.meta.facets.floor.toSorted((a: { value: number }, b: { value: number }) => a.value - b.value)).toEqual(
        [
          { value: 0, count: 10 },
          { value: 1, count: 10 },
          { value: 2, count: 10 },
        ],
      )
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
        const minScore = whole.data[9].score
        const good = await search('vehicle car', { mode, limit: 100, min_score: minScore })
        expect(good.data).toEqual(whole.data.filter(({ score }: { score: number }) => score >= minScore))
        const upstairs = await search('vehicle car', { mode, limit: 100, filters: { floor: { gte: 1 } } })
        expect(upstairs.data).toHaveLength(20)
      }
      expect(await searchTitles('automobile', { limit: 1, filters: { floor: 7 } })).toEqual([])
      expect((await search('"stands beside tree"', { limit: 100 })).data).toHaveLength(24)
    })

    it('scans all pages of vectors, with the same result from the cache', async () => {
      const count = manyVectors
      // Its first chunk is the best match, its second the worst.
      const longText = `${'An automobile. '.repeat(40)}${'Number one. '.repeat(150)}`
      const rows = Array.from({ length: count }, (_, id) => ({
        id,
        title: null,
        // Many equal vectors: they would form islands in a graph of nearest neighbours, which a search may not reach.
        text: `Number ${'one '.repeat(1 + (id % 7))}`,
        kind: 'x',
      }))
      const {
        search,
        upload,
        sourceId,
        waitUntilEmbedded: embedded,
      } = await createEmbeddedWorkspace([...rows, { id: count, text: longText, kind: 'x' }])
      const first = await search('vehicle', { facets: ['kind'] })
      expect(first.meta.facets).toEqual({ kind: [{ value: 'x', count: count + 1 }] })
      expect(first.data[0].snippet).toMatch(/^An automobile\./)
      const { data: again, meta } = await search('vehicle', { facets: ['kind'] })
      expect([again, meta]).toEqual([first.data, first.meta])
      await upload(sourceId, [{ id: count + 1, text: 'A vehicle.', kind: 'x' }])
      await embedded()
      const { data } = await search('vehicle', { limit: 2 })
      expect(data.map(({ snippet }: { snippet: string }) => snippet.slice(0, 10)).toSorted()).toEqual([
        'A vehicle.',
        'An automob',
      ])
    })

    it('searches only the sources that are named', async () => {
      const {
        search,
        sourceId: first,
        createSource: source,
        waitUntilEmbedded: embedded,
      } = await createEmbeddedWorkspace()
      const second = await source(notes.slice(0, 2))
      await embedded()
      const { data } = await search('automobile', { data_source_ids: [second], limit: 100 })
      expect(data.map(({ data_source_id: id }: { data_source_id: string }) => id)).toEqual([second, second])
      expect((await search('automobile', { limit: 100 })).data).toHaveLength(6)
      expect((await search('automobile', { data_source_ids: [first], limit: 100 })).data).toHaveLength(4)
    })
  })

  describe('a hybrid search', () => {
    it('adds up the scores by words and by meaning', async () => {
      const words = ['car', 'automobile', 'doctor', 'tree', 'soup', 'window', 'vehicle']
      const { search } = await createEmbeddedWorkspace(
        Array.from({ length: 60 }, (_, id) => ({
          id,
          title: `Note ${id}`,
          text: Array.from({ length: 6 }, (_word, nth) => words[(id * (nth + 3) + nth * nth) % words.length]).join(' '),
        })),
      )
      const query = 'automobile beside the soup'
      const scoresOf = async (mode: string): Promise<[string, number][]> =>
        (await search(query, { mode, limit: 100 })).data.map(
          ({ record_id: id, score }: { record_id: string; score: number }) => [id, score],
        )
      const [byWords, byMeaning] = [new Map(await scoresOf('lexical')), await scoresOf('semantic')]
      expect(byWords.size).toBeGreaterThan(5)
      expect(byWords.size).toBeLessThan(60)
      const similarities = byMeaning.map(([, similarity]) => similarity)
      const [greatest, least] = [Math.max(...similarities), Math.min(...similarities)]
      const { data, meta } = await search(query, { mode: 'hybrid', limit: 100 })
      expect(meta).toEqual({ mode_used: 'hybrid', warnings: [] })
      expect(data).toHaveLength(60)
      const scores = data.map(({ score }: { score: number }) => score)
      expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
      const near = new Map(byMeaning.map(([id, score]) => [id, (score - least) / (greatest - least) / 2]))
      const shares = data.map(({ record_id: id, score }: { record_id: string; score: number }) => ({
        ofWords: score - (near.get(id) ?? 0),
        words: byWords.get(id) ?? 0,
      }))
      // The whole query has one score, which depends on the engine.
      const { ofWords, words: score } = shares.find(({ words }: { words: number }) => words > 0)
      expect(ofWords / score).toBeGreaterThan(0)
      for (const { ofWords: found, words: own } of shares) expect(found).toBeCloseTo((own * ofWords) / score, 5)
    })

    it('highlights matching words, and shows the nearest chunk of hits without any', async () => {
      const text = `${'A car. '.repeat(120)}${'Nothing here. '.repeat(120)}The doctor is a zebra.`
      const { search } = await createEmbeddedWorkspace([...notes, { id: 5, title: 'Zoo', text }])
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

  describe('a semantic search in another workspace', () => {
    it('finds none of its records', async () => {
      const mine = await createEmbeddedWorkspace()
      const theirs = await createEmbeddedWorkspace([{ id: 1, title: 'Theirs', text: 'One car.' }])
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
}
