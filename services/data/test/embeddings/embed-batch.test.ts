import { describe, expect, it } from '@jest/globals'
import { embedMissing, prepareBatch } from '../../src/embeddings/embed-batch.ts'
import { EmbeddingFailure } from '../../src/embeddings/embedding-failure.ts'
import { chunkKey } from '../../src/store/embeddings/stored-chunks.ts'

const sentence = (words: number, first: string) => `${first}${' word'.repeat(words - 1)}.`
const record = (document: number, sentences: number) => ({
  document,
  title: null,
  text: Array.from({ length: sentences }, (_, nth) => sentence(200, `R${document}N${nth}`)).join(' '),
  changeCount: undefined,
})
const usual = { space: 's', batchSize: 64, concurrency: 4 }
const nothingStored = { keys: new Set<string>(), vectors: new Map() }
const refusal = new EmbeddingFailure('refused', 'no')

describe('prepareBatch', () => {
  const records = [record(3, 60), record(7, 60), record(8, 60), record(9, 60), record(20, 60)]

  it('cuts a batch of new documents before the one that exceeds 256 chunks', () => {
    const { batch, chunks } = prepareBatch(usual, { records, nextDocument: 21 })
    expect(batch).toEqual({ records: records.slice(0, 4), nextDocument: 20 })
    expect(chunks).toHaveLength(240)
  })

  it('keeps the progress of a cut batch of changed documents', () => {
    const changed = records.map((other) => ({ ...other, changeCount: 1 }))
    expect(prepareBatch(usual, { records: changed, nextDocument: 50 }).batch).toEqual({
      records: changed.slice(0, 4),
      nextDocument: 50,
    })
  })

  it('cuts a batch to one round of the requests of a slow provider', () => {
    const small = { space: 's', batchSize: 8, concurrency: 1 }
    const { batch, chunks } = prepareBatch(small, {
      records: [record(1, 5), record(2, 3), record(3, 1)],
      nextDocument: 4,
    })
    expect([batch.records.length, batch.nextDocument, chunks.length]).toEqual([2, 3, 8])
  })

  it('keeps a batch that fits', () => {
    expect(prepareBatch(usual, { records: records.slice(0, 2), nextDocument: 9 }).batch.nextDocument).toBe(9)
  })
})

describe('embedMissing', () => {
  it('embeds each missing text once, at most 64 per request', async () => {
    const prepared = prepareBatch(usual, {
      records: [record(1, 60), record(2, 60), { ...record(2, 60), document: 3 }],
      nextDocument: 4,
    })
    const stored = prepared.chunks.slice(0, 10)
    const requests: (readonly string[])[] = []
    const rows = await embedMissing(
      prepared,
      { keys: new Set(stored.map(chunkKey)), vectors: new Map() },
      usual,
      async (inputs) => {
        requests.push(inputs)
        return inputs.map((text) => Float32Array.of(text.length, 1))
      },
    )
    expect(requests.map((inputs) => inputs.length)).toEqual([64, 46])
    expect(rows).toHaveLength(180)
    expect(rows.filter(({ vectors }) => vectors === undefined)).toHaveLength(10)
  })

  it('sends no more texts and requests at once than the provider takes', async () => {
    const prepared = prepareBatch(usual, { records: [record(1, 10)], nextDocument: 2 })
    let [open, most] = [0, 0]
    const sizes: number[] = []
    await embedMissing(prepared, nothingStored, { batchSize: 3, concurrency: 2 }, async (inputs) => {
      most = Math.max(most, ++open)
      sizes.push(inputs.length)
      await Promise.resolve()
      open--
      return inputs.map(() => Float32Array.of(1))
    })
    expect([sizes, most]).toEqual([[3, 3, 3, 1], 2])
  })

  it('leaves out the text that the provider refuses', async () => {
    const prepared = prepareBatch(usual, { records: [record(1, 5)], nextDocument: 2 })
    const rows = await embedMissing(prepared, nothingStored, usual, async (inputs) => {
      if (inputs.some((input) => input.includes('R1N3'))) throw refusal
      return inputs.map(() => Float32Array.of(1))
    })
    expect(rows).toHaveLength(4)
  })

  it.each([1, 2, 3, 17, 64])('makes at most 2·log2 n further requests for %d refused texts', async (count) => {
    const prepared = prepareBatch(usual, { records: [record(1, count)], nextDocument: 2 })
    const requests: number[] = []
    // The probe has one text, as have the parts at the end.
    const refuseAll = (inputs: readonly string[]) => {
      if (inputs[0] === 'test') return Promise.resolve([Float32Array.of(1)])
      requests.push(inputs.length)
      return Promise.reject(refusal)
    }
    expect(await embedMissing(prepared, nothingStored, usual, refuseAll)).toEqual([])
    expect(requests.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(count)))
  })

  it('finds one refused text among 64 and embeds all others', async () => {
    for (const refused of [0, 31, 63]) {
      const prepared = prepareBatch(usual, { records: [record(1, 64)], nextDocument: 2 })
      const rows = await embedMissing(prepared, nothingStored, usual, async (inputs) => {
        if (inputs.some((input) => input.includes(`R1N${refused} `))) throw refusal
        return inputs.map(() => Float32Array.of(1))
      })
      expect(rows).toHaveLength(63)
    }
  })

  it('fails as unusable when the provider refuses every text', async () => {
    const prepared = prepareBatch(usual, { records: [record(1, 5)], nextDocument: 2 })
    const refuseAll = () => Promise.reject(refusal)
    await expect(embedMissing(prepared, nothingStored, usual, refuseAll)).rejects.toMatchObject({ kind: 'unusable' })
  })
})
