import { describe, expect, it } from '@jest/globals'
import { createQuantizedVectorCache } from '../../../src/search/index/quantized-vector-cache.ts'
import { createPostingsCache } from '../../../src/store/search/read-postings.ts'

describe('createPostingsCache', () => {
  it('evicts the least recently used postings beyond its size', () => {
    const cache = createPostingsCache(100)
    const postings = (bytes: number) => new Uint32Array(bytes / 4)
    const first = postings(60)
    cache.set('a', first)
    cache.set('b', postings(40))
    expect(cache.get('a')).toBe(first)
    cache.set('c', postings(20))
    expect([cache.get('a'), cache.get('b')]).toEqual([first, undefined])
  })

  it('does not store postings beyond its size', () => {
    const cache = createPostingsCache(8)
    cache.set('a', new Uint32Array(3))
    expect(cache.get('a')).toBeUndefined()
    const disabled = createPostingsCache(0)
    disabled.set('a', new Uint32Array(1))
    expect(disabled.get('a')).toBeUndefined()
  })
})

describe('createQuantizedVectorCache', () => {
  const pages = (bytes: number) => [
    { documents: new Uint32Array(0), scales: new Float32Array(0), values: new Int8Array(bytes), dimensions: 1 },
  ]

  it('returns only the requested version', () => {
    const cache = createQuantizedVectorCache(100)
    const first = pages(60)
    cache.set('a', 1, first)
    expect([cache.get('a', 1), cache.get('a', 2)]).toEqual([first, undefined])
  })

  it('evicts the least recently used source beyond its size', () => {
    const cache = createQuantizedVectorCache(100)
    const first = pages(60)
    cache.set('a', 1, first)
    cache.set('b', 1, pages(40))
    expect(cache.get('a', 1)).toBe(first)
    cache.set('c', 1, pages(30))
    expect([cache.get('a', 1), cache.get('b', 1)]).toEqual([first, undefined])
  })

  it('does not store a source beyond its size', () => {
    const cache = createQuantizedVectorCache(100)
    const first = pages(60)
    cache.set('a', 1, first)
    cache.set('d', 1, pages(101))
    expect([cache.get('d', 1), cache.get('a', 1)]).toEqual([undefined, first])
  })

  it('stores a source without vectors', () => {
    const cache = createQuantizedVectorCache(100)
    cache.set('a', 1, [])
    expect(cache.get('a', 1)).toEqual([])
  })
})
