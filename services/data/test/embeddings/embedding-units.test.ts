import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createOutbound } from '@wp/outbound'
import fc from 'fast-check'
import { createCache } from '../../src/embeddings/cache.ts'
import { chunkHash, splitIntoChunks } from '../../src/embeddings/chunks.ts'
import { embedMissing, prepareBatch } from '../../src/embeddings/embed-batch.ts'
import { EmbeddingFailure } from '../../src/embeddings/embedding-failure.ts'
import {
  decodeQuantizedVectors,
  decodeVector,
  dotProduct,
  encodeQuantizedVector,
  encodeVector,
  forEachSimilarity,
  unitVector,
} from '../../src/embeddings/quantized-vector.ts'
import { requestEmbeddings } from '../../src/embeddings/request-embeddings.ts'
import { createQuantizedVectorCache } from '../../src/search/index/quantized-vector-cache.ts'
import { fuseRankings } from '../../src/search/rank/reciprocal-rank-fusion.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'

const sentence = (words: number, first = 'Word') => `${first}${' word'.repeat(words - 1)}.`
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== '').length
const partOf = (text: string, { start, length }: { start: number; length: number }) =>
  [...text].slice(start, start + length).join('')

describe('chunks', () => {
  it('are the whole of a short text, after its title', () => {
    expect(splitIntoChunks('Doors', ' They close. At eight. ')).toEqual([
      { input: 'Doors\n\nThey close. At eight.', start: 1, length: 21 },
    ])
    expect(splitIntoChunks(null, 'They close.')).toEqual([{ input: 'They close.', start: 0, length: 11 }])
    expect(splitIntoChunks('Doors', null)).toEqual([{ input: 'Doors', start: 0, length: 0 }])
    expect(splitIntoChunks('Doors', ' \n ')).toEqual([{ input: 'Doors', start: 0, length: 0 }])
    expect(splitIntoChunks(null, null)).toEqual([])
    expect(splitIntoChunks(' ', '')).toEqual([])
  })

  it('are of whole sentences, the last of which comes again', () => {
    const text = Array.from({ length: 20 }, (_, nth) => sentence(30, `Nr${nth}`)).join(' ')
    const chunks = splitIntoChunks('Title', text)
    expect(chunks.map((chunk) => partOf(text, chunk).match(/Nr\d+/g))).toEqual([
      ['Nr0', 'Nr1', 'Nr2', 'Nr3', 'Nr4', 'Nr5', 'Nr6', 'Nr7'],
      ['Nr7', 'Nr8', 'Nr9', 'Nr10', 'Nr11', 'Nr12', 'Nr13', 'Nr14'],
      ['Nr14', 'Nr15', 'Nr16', 'Nr17', 'Nr18', 'Nr19'],
    ])
    for (const chunk of chunks) expect(chunk.input).toBe(`Title\n\n${partOf(text, chunk)}`)
  })

  it('stay short where there are no sentences, nor even words', () => {
    for (const text of ['word '.repeat(3_000), 'a '.repeat(3_000), '字'.repeat(9_000), '😀'.repeat(5_000)]) {
      const chunks = splitIntoChunks(null, text)
      expect(chunks.length).toBeGreaterThan(3)
      expect(chunks.length).toBeLessThanOrEqual(64)
      for (const { input } of chunks) {
        expect(wordsIn(input)).toBeLessThanOrEqual(250)
        expect(input.length).toBeLessThanOrEqual(3_000)
        expect(input.isWellFormed()).toBe(true)
      }
    }
    expect(splitIntoChunks(null, 'One sentence of five words. '.repeat(20_000))).toHaveLength(64)
  })

  it('leave nothing out and say where they are, whatever the text', () => {
    const words = fc.array(fc.constantFrom('a', 'Mr.', 'end.', 'why?', '\n\n', '😀', '字字。', 'x'.repeat(900)), {
      maxLength: 900,
    })
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(' ')
        const characters = [...text]
        const isIn = new Uint8Array(characters.length)
        let before = -1
        for (const chunk of splitIntoChunks(null, text)) {
          if (chunk.length === 0) return
          expect(chunk.input).toBe(partOf(text, chunk))
          expect(chunk.start).toBeGreaterThan(before)
          before = chunk.start
          isIn.fill(1, chunk.start, chunk.start + chunk.length)
        }
        for (const [at, character] of characters.entries())
          if (/\S/.test(character)) expect([at, isIn[at]]).toEqual([at, 1])
      }),
      { numRuns: 60 },
    )
  })

  it('are known by their text and space', () => {
    const [one] = splitIntoChunks('Doors', 'They close.')
    const [other] = splitIntoChunks('Doors', 'They open.')
    if (one === undefined || other === undefined) throw new Error('a text has a chunk')
    const hashes = [chunkHash('s', one), chunkHash('s', other), chunkHash('t', one)].map((hash) => hash.toString('hex'))
    expect(new Set(hashes).size).toBe(3)
    expect(chunkHash('s', { ...one, start: 7 }).toString('hex')).toBe(hashes[0])
  })
})

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 })
  .map(unitVector)
  .filter((made) => made !== undefined)

describe('vectors', () => {
  it('have length 1, or none', () => {
    expect(unitVector([3, 4])).toEqual(Float32Array.of(0.6, 0.8))
    expect(unitVector([0, 0])).toBeUndefined()
    expect(unitVector([Number.POSITIVE_INFINITY])).toBeUndefined()
  })

  it('come back as they were kept, and sketches nearly so', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), vector, (kept, asked) => {
        const told: [number, number][] = []
        const sketches = decodeQuantizedVectors(
          kept.map((_, nth) => 10 + nth),
          Buffer.concat(kept.map(encodeQuantizedVector)),
        )
        forEachSimilarity(sketches, asked, (document, nearness) => told.push([document, nearness]))
        expect(told.map(([document]) => document)).toEqual(kept.map((_, nth) => 10 + nth))
        for (const [nth, one] of kept.entries()) {
          expect(decodeVector(encodeVector(one))).toEqual(one)
          const exact = one.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0)
          expect(dotProduct(one, asked)).toBeCloseTo(exact, 6)
          expect(Math.abs((told[nth]?.[1] ?? 2) - exact)).toBeLessThan(0.02)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('a fusion', () => {
  const ranking = (scores: Record<number, number>) => {
    const all = new Float64Array(6)
    for (const [document, score] of Object.entries(scores)) all[Number(document)] = score
    return { documents: Uint32Array.from(Object.keys(scores), Number), scores: all }
  }

  it('adds up the reciprocal ranks of as many as count', () => {
    const fused = fuseRankings([ranking({ 1: 9, 3: 7, 4: 8 }), ranking({ 3: -0.5, 1: -0.2, 5: -0.9 })], 6, 2)
    expect([...fused.documents].toSorted()).toEqual([1, 3, 4])
    expect([...fused.scores]).toEqual([0, 2 / 61, 0, 1 / 62, 1 / 62, 0])
  })
})

describe('what is kept in memory', () => {
  it('holds for a time, the most recently used of it', () => {
    let now = 0
    const cache = createCache<number>({ most: 2, lastMs: 10, now: () => now })
    cache.set('a', 1)
    cache.set('b', 2)
    expect(cache.get('a')).toBe(1)
    cache.set('c', 3)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
    now = 10
    expect([cache.has('a'), cache.get('c')]).toEqual([false, undefined])
  })

  it('is of the version that is asked for, within its room', () => {
    const cache = createQuantizedVectorCache(100)
    const sketches = (bytes: number) => [
      { documents: new Uint32Array(0), scales: new Float32Array(0), values: new Int8Array(bytes), dimensions: 1 },
    ]
    const one = sketches(60)
    cache.set('a', 1, one)
    expect([cache.get('a', 1), cache.get('a', 2)]).toEqual([one, undefined])
    cache.set('b', 1, sketches(40))
    expect(cache.get('a', 1)).toBe(one)
    cache.set('c', 1, sketches(30))
    expect([cache.get('a', 1), cache.get('b', 1)]).toEqual([one, undefined])
    cache.set('d', 1, sketches(101))
    expect([cache.get('d', 1), cache.get('a', 1)]).toEqual([undefined, one])
  })
})

describe('a batch', () => {
  const record = (document: number, sentences: number) => ({
    document,
    title: null,
    text: Array.from({ length: sentences }, (_, nth) => sentence(200, `R${document}N${nth}`)).join(' '),
    changeCount: undefined,
  })

  it('ends before it makes too many chunks', () => {
    const records = [record(3, 60), record(7, 60), record(8, 60), record(9, 60), record(20, 60)]
    const first = prepareBatch('s', { records, nextDocument: 21 })
    expect(first.batch).toEqual({ records: records.slice(0, 4), nextDocument: 20 })
    expect(first.chunks).toHaveLength(240)
    const again = records.map((one) => ({ ...one, changeCount: 1 }))
    expect(prepareBatch('s', { records: again, nextDocument: 50 }).batch).toEqual({
      records: again.slice(0, 4),
      nextDocument: 50,
    })
    expect(prepareBatch('s', { records: records.slice(0, 2), nextDocument: 9 }).batch.nextDocument).toBe(9)
  })

  it('has each text embedded once that is not known, in requests of 64', async () => {
    const prepared = prepareBatch('s', {
      records: [record(1, 60), record(2, 60), { ...record(2, 60), document: 3 }],
      nextDocument: 4,
    })
    const known = prepared.chunks.slice(0, 10)
    const asked: (readonly string[])[] = []
    const kept = await embedMissing(
      prepared,
      new Set(known.map(({ document, hash }) => `${document} ${hash.toString('hex')}`)),
      async (inputs) => {
        asked.push(inputs)
        return inputs.map((text) => Float32Array.of(text.length, 1))
      },
    )
    expect(asked.map((inputs) => inputs.length)).toEqual([64, 46])
    expect(kept).toHaveLength(180)
    expect(kept.filter(({ vectors }) => vectors === undefined)).toHaveLength(10)
  })

  const refused = new EmbeddingFailure('refused', 'no')

  it('leaves out the one text that is refused', async () => {
    const prepared = prepareBatch('s', { records: [record(1, 5)], nextDocument: 2 })
    const kept = await embedMissing(prepared, new Set(), async (inputs) => {
      if (inputs.some((input) => input.includes('R1N3'))) throw refused
      return inputs.map(() => Float32Array.of(1))
    })
    expect(kept).toHaveLength(4)
  })

  it('fails where everything is refused', async () => {
    const prepared = prepareBatch('s', { records: [record(1, 5)], nextDocument: 2 })
    const refuse = () => Promise.reject(refused)
    await expect(embedMissing(prepared, new Set(), refuse)).rejects.toMatchObject({ kind: 'unusable' })
  })
})

describe('a request for embeddings', () => {
  let server: EmbeddingServer
  const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] })
  beforeAll(async () => {
    server = await startEmbeddingServer()
  })
  afterAll(async () => {
    outbound.close()
    await server.close()
  })
  const { make } = { make: (text: string) => [text.length, 0] }
  afterEach(() => {
    server.override = () => undefined
    server.embed = make
  })

  const ask = (inputs: string[], more = {}, timeoutMs = 2_000) =>
    requestEmbeddings(
      { outbound, protocols: ['http:'] },
      { baseUrl: server.url, apiKey: 'sk', model: 'tiny', dimensions: undefined, ...more },
      inputs,
      { timeoutMs },
    )

  it('gives vectors in the order of the texts, of length 1', async () => {
    server.embed = (text) => (text === 'one' ? [3, 4] : [0, 2])
    expect(await ask(['one', 'two'])).toEqual([Float32Array.of(0.6, 0.8), Float32Array.of(0, 1)])
    expect(server.requests.at(-1)).toMatchObject({ model: 'tiny', authorization: 'Bearer sk' })
    server.embed = () => [1, 2, 2]
    expect(await ask(['one'], { dimensions: 3, apiKey: undefined })).toHaveLength(1)
    expect(server.requests.at(-1)).toMatchObject({ dimensions: 3 })
    expect(server.requests.at(-1)?.authorization).toBeUndefined()
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [400, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [404, 'unusable'],
    [302, 'unusable'],
  ])('fails with a %d: %s', async (status, kind) => {
    server.override = () => ({ status, headers: { location: `${server.url}/embeddings` } })
    await expect(ask(['one'])).rejects.toMatchObject({ name: 'EmbeddingFailure', kind })
  })

  it('says how long the provider wants to be left alone', async () => {
    server.override = () => ({ status: 429, headers: { 'retry-after': '7' } })
    await expect(ask(['one'])).rejects.toMatchObject({ retryAfterMs: 7_000 })
    const at = new Date(Date.now() + 60_000).toUTCString()
    server.override = () => ({ status: 503, headers: { 'retry-after': at } })
    const { retryAfterMs } = await ask(['one']).catch((error) => error)
    expect(retryAfterMs).toBeGreaterThan(50_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
    server.override = () => ({ status: 503, headers: { 'retry-after': 'soon' } })
    await expect(ask(['one'])).rejects.toMatchObject({ retryAfterMs: undefined })
  })

  it('takes no answer that is not what was asked for', async () => {
    server.embed = (text) => (text === 'one' ? [1, 2] : [1, 2, 3])
    await expect(ask(['one', 'two'])).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('3 dim'),
    })
    await expect(ask(['one'], { dimensions: 3 })).rejects.toMatchObject({ kind: 'unusable' })
    server.embed = () => [0, 0]
    await expect(ask(['one'])).rejects.toMatchObject({ kind: 'unusable' })
    server.embed = () => []
    await expect(ask(['one'])).rejects.toMatchObject({ kind: 'unusable' })
    const bodies: unknown[] = ['no JSON', {}, { data: [] }, { data: [{ embedding: [1] }, { embedding: [1] }] }]
    bodies.push({ data: [{ index: 1, embedding: [1] }] }, { data: [{ embedding: ['1'] }] })
    for (const body of bodies) {
      const odd = createServer((_request, response) =>
        response.end(typeof body === 'string' ? body : JSON.stringify(body)),
      )
      await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
      const address = odd.address()
      const port = typeof address === 'object' ? address?.port : undefined
      await expect(ask(['one'], { baseUrl: `http://127.0.0.1:${port}` })).rejects.toMatchObject({ kind: 'unusable' })
      odd.closeAllConnections()
      odd.close()
    }
  })

  it('waits no longer than it is to, and goes to no address that is not public', async () => {
    server.override = () => 'silence'
    await expect(ask(['one'], {}, 50)).rejects.toMatchObject({ kind: 'unavailable' })
    const strict = createOutbound({})
    const asked = requestEmbeddings(
      { outbound: strict, protocols: ['http:'] },
      { baseUrl: server.url, apiKey: undefined, model: 'tiny', dimensions: undefined },
      ['one'],
      { timeoutMs: 500 },
    )
    await expect(asked).rejects.toMatchObject({ kind: 'unusable' })
    strict.close()
  })
})
