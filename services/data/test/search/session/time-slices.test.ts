import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { createTimeSlices } from '../../../src/search/session/time-slices.ts'

describe('the time slice of a search', () => {
  it('is over after 5 ms of computation, and begins again after a wait', async () => {
    let nowMs = 0
    const slice = createTimeSlices(() => nowMs)()
    nowMs = 4
    expect(slice.isOver()).toBe(false)
    nowMs = 5
    expect(slice.isOver()).toBe(true)
    slice.restart()
    expect(slice.isOver()).toBe(false)
    nowMs = 10
    await slice.next()
    expect(slice.isOver()).toBe(false)
  })

  it('is given to one search in each iteration of the event loop, in turns', async () => {
    const slices = createTimeSlices(() => 0)
    const turns: string[] = []
    const run = async (name: string) => {
      const slice = slices()
      for (let nth = 0; nth < 3; nth++) {
        await slice.next()
        turns.push(name)
      }
    }
    const running = Promise.all(['a', 'b', 'c'].map(run))
    const perIteration: number[] = []
    for (let before = 0; turns.length < 9; before = turns.length) {
      await nextIteration()
      perIteration.push(turns.length - before)
    }
    await running
    expect(Math.max(...perIteration)).toBe(1)
    expect(turns.join('')).toBe('abcabcabc')
  })
})
