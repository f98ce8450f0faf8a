import { expect, it } from '@jest/globals'
import { combineCalls } from '../src/consumer/deferral.ts'

it('items that are passed while others are processed are processed together', async () => {
  const calls: number[][] = []
  const process = combineCalls<number>(async (items) => void calls.push([...items]), 3)
  await Promise.all([1, 2, 3, 4].map(process))
  await process(5)
  expect(calls).toEqual([[1, 2, 3], [4], [5]])
})

it('an error ends the calls whose items were processed together, and no others', async () => {
  const process = combineCalls<string>(async (items) => {
    if (items.includes('bad')) throw new Error('unavailable')
  }, 2)
  const results = await Promise.allSettled(['bad', 'beside', 'good'].map(process))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
