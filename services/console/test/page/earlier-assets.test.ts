import { describe, expect, it } from '@jest/globals'
import { createEarlierAssets } from '../../src/assets/earlier-assets.ts'
import type { WebFile } from '../../src/assets/web-build.ts'

const fileOf = (bytes: number): WebFile => ({
  contentType: 'text/javascript',
  content: Buffer.alloc(bytes),
  gzip: null,
  brotli: null,
})

/** A lookup over a store that counts its reads. */
function startLookup(files: Record<string, WebFile>) {
  const reads: string[] = []
  let now = 1 // the cache takes 0 for no time
  let running = 0
  let mostRunning = 0
  const assets = createEarlierAssets({
    now: () => now,
    async read(name) {
      reads.push(name)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (name === 'broken') throw new Error('no database')
      return files[name]
    },
  })
  return {
    assets,
    reads,
    mostRunning: () => mostRunning,
    advance(ms: number) {
      now += ms
    },
  }
}

describe('the lookup of earlier assets', () => {
  it('reads a file once, however many ask for it at once or later', async () => {
    const { assets, reads } = startLookup({ a: fileOf(10) })
    const found = await Promise.all([assets.find('a'), assets.find('a'), assets.find('a')])
    expect(found.map((file) => file?.content.length)).toEqual([10, 10, 10])
    await assets.find('a')
    expect(reads).toEqual(['a'])
  })

  it('remembers for ten seconds that a file is missing', async () => {
    const { assets, reads, advance } = startLookup({})
    for (let times = 0; times < 3; times += 1) expect(await assets.find('a')).toBeUndefined()
    expect(reads).toEqual(['a'])
    advance(10_001)
    await assets.find('a')
    expect(reads).toEqual(['a', 'a'])
  })

  it('forgets a failed read', async () => {
    const { assets, reads } = startLookup({})
    await expect(assets.find('broken')).rejects.toThrow('no database')
    await expect(assets.find('broken')).rejects.toThrow('no database')
    expect(reads).toHaveLength(2)
  })

  it('keeps a bounded number of bytes, and reads two files at once at most', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `big-${index}`)
    const { assets, reads, mostRunning } = startLookup(
      Object.fromEntries(names.map((name) => [name, fileOf(4 * 1024 * 1024)])),
    )
    await Promise.all(names.map((name) => assets.find(name)))
    await assets.find('big-0')
    expect([reads.length, mostRunning()]).toEqual([11, 2])
  })
})
