import { describe, expect, it } from '@jest/globals'
import { createUnsavedVectors } from '../../src/embeddings/unsaved-vectors.ts'

describe('unsaved vectors', () => {
  it('are not requested again until the batch of their owner is saved', async () => {
    const unsaved = createUnsavedVectors()
    const requested: (readonly string[])[] = []
    const complete = (owner: string, texts: string[]) =>
      unsaved.complete(owner, texts, async (missing) => {
        requested.push(missing)
        return missing.map((text) => Float32Array.of(text.length))
      })
    await complete('ws_1 a', ['one'])
    expect(await complete('ws_1 a', ['three', 'one', 'to'])).toEqual([5, 3, 2].map((length) => Float32Array.of(length)))
    await complete('ws_1 b', ['one'])
    unsaved.forget('ws_1 a')
    await complete('ws_1 a', ['one'])
    await complete('ws_1 b', ['one'])
    expect(requested).toEqual([['one'], ['three', 'to'], ['one'], ['one']])
  })

  it('are not kept of a failed request', async () => {
    const unsaved = createUnsavedVectors()
    await expect(unsaved.complete('ws', ['one'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await unsaved.complete('ws', ['one'], async () => [Float32Array.of(1)])).toEqual([Float32Array.of(1)])
  })
})
