import { describe, expect, it } from '@jest/globals'
import { createBufferPool, type ScoreBuffers } from '../../../src/search/rank/buffer-pool.ts'

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
})
