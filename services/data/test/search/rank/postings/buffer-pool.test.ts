import { describe, expect, it } from '@jest/globals'
import {
  createBufferPool,
  createScoreBuffers,
  type ScoreBuffers,
} from '../../../../src/search/rank/postings/buffer-pool.ts'

describe('createBufferPool', () => {
  it('gives concurrent work separate buffers', async () => {
    const pool = createBufferPool()
    await pool.with(async (first) => {
      first.scores(3).set([1, 2, 3])
      await pool.with(async (second) => {
        expect(second).not.toBe(first)
        expect([...second.scores(4)]).toEqual([0, 0, 0, 0])
      })
    })
  })

  it('reuses buffers, cleared, also after work that failed', async () => {
    const pool = createBufferPool()
    let used: ScoreBuffers | undefined
    const failing = pool.with(async (buffers) => {
      used = buffers
      buffers.scores(3).set([1, 2, 3])
      throw new Error('work failed')
    })
    await expect(failing).rejects.toThrow('work failed')
    await pool.with(async (buffers) => {
      expect(buffers).toBe(used)
      expect([...buffers.scores(2)]).toEqual([0, 0])
      expect(buffers.lengths(2)).toHaveLength(2)
    })
  })

  it('gives parts of one array as postings until they are released', () => {
    const buffers = createScoreBuffers()
    buffers.postings(6)
    buffers.releasePostings()
    const [first, second] = [buffers.postings(2).fill(1), buffers.postings(4).fill(2)]
    const beyond = buffers.postings(3).fill(3)
    expect([[...first], [...second], [...beyond]]).toEqual([
      [1, 1],
      [2, 2, 2, 2],
      [3, 3, 3],
    ])
    expect(second.buffer).toBe(first.buffer)
    expect(beyond.buffer).not.toBe(first.buffer)
    buffers.releasePostings()
    expect(buffers.postings(3).buffer).toBe(beyond.buffer)
  })

  it('replaces merge buffers that are too small or whose lists can no longer be numbered', () => {
    const buffers = createScoreBuffers()
    const small = buffers.merge(3, 1)
    const large = buffers.merge(4, 1)
    expect(large).not.toBe(small)
    expect(buffers.merge(2, 1)).toBe(large)
    large.lists = 2 ** 32 - 3
    expect(buffers.merge(2, 2)).toBe(large)
    expect(buffers.merge(2, 3)).toMatchObject({ lists: 0, merges: 0 })
  })
})
