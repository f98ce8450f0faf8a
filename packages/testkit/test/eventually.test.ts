import { expect, it } from '@jest/globals'
import { eventually } from '../src/index.ts'

it('eventually returns the first result that is neither missing nor thrown', async () => {
  const results = [undefined, null, false, new Error('not yet'), 0]
  const check = () => {
    const result = results.shift()
    if (result instanceof Error) throw result
    return result
  }
  expect(await eventually(check, { intervalMs: 1 })).toBe(0)
  expect(results).toEqual([])
})

it('eventually throws the description and the last error after the time limit', async () => {
  const check = () => Promise.reject(new Error('refused'))
  const waiting = eventually(check, { timeoutMs: 10, intervalMs: 1, description: 'an answer' })
  await expect(waiting).rejects.toThrow('timed out after 10 ms waiting for an answer: refused')
})
