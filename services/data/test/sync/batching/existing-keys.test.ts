import { hash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { collectExistingKeys } from '../../../src/sync/batching/existing-keys.ts'

async function* hashPages(keys: readonly string[], pageSize = 100): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < keys.length; at += pageSize)
    yield Buffer.concat(keys.slice(at, at + pageSize).map((key) => hash('sha256', key, 'buffer').subarray(0, 8)))
}

describe('collectExistingKeys', () => {
  it('reports the keys that were not marked as seen', async () => {
    const keys = Array.from({ length: 2_345 }, (_, nth) => `schlüssel ${nth}`)
    const existing = await collectExistingKeys(hashPages(keys))
    for (const key of keys.slice(100)) existing.markSeen(key)
    for (const key of ['new', 'schlüssel 200', 'schlüssel 200']) existing.markSeen(key)
    expect(keys.filter((key) => existing.isMissing(key))).toEqual(keys.slice(0, 100))
    expect([existing.countUnseen(), existing.isMissing('new'), existing.isMissing('')]).toEqual([100, false, false])
  })

  it('reports no missing key when the source is empty', async () => {
    const existing = await collectExistingKeys(hashPages([]))
    existing.markSeen('a')
    expect([existing.countUnseen(), existing.isMissing('a')]).toEqual([0, false])
  })
})
