import { expect, it } from '@jest/globals'
import { eventually } from '../src/index.ts'

it('waits while the answer is missing or thrown, and returns it', async () => {
  const answers = [undefined, null, false, new Error('not yet'), 0]
  const check = () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  expect(await eventually(check, { intervalMs: 1 })).toBe(0)
  expect(answers).toEqual([])
})

it('names what did not come and the last error', async () => {
  const check = () => Promise.reject(new Error('refused'))
  const waiting = eventually(check, { timeoutMs: 10, intervalMs: 1, description: 'an answer' })
  await expect(waiting).rejects.toThrow('an answer did not come about within 10 ms: refused')
})
