import { afterEach, expect, it } from '@jest/globals'
import { createThreadPool, type ThreadPool } from '../src/worker-thread.ts'

const never = new AbortController().signal
let pool: ThreadPool<'id' | 'throw' | 'block', number>
const start = () => {
  pool = createThreadPool(new URL('./fixture/echo-worker.ts', import.meta.url), { maxHeapMib: 64 })
}
afterEach(() => pool.close())

it('keeps a thread for the next call, and has one for each concurrent call', async () => {
  start()
  const first = await pool.run('id', never)
  expect(await pool.run('id', never)).toBe(first)
  const [one, other] = await Promise.all([pool.run('id', never), pool.run('id', never)])
  expect(one).toBe(first)
  expect(other).not.toBe(first)
})

it('rejects with what a computation throws, and goes on with another thread', async () => {
  start()
  const first = await pool.run('id', never)
  await expect(pool.run('throw', never)).rejects.toThrow('asked to')
  expect(await pool.run('id', never)).not.toBe(first)
})

it('ends a computation that is aborted', async () => {
  start()
  const abort = new AbortController()
  const blocked = pool.run('block', abort.signal)
  abort.abort(new Error('cancelled'))
  await expect(blocked).rejects.toThrow('cancelled')
  expect(await pool.run('id', never)).toBeGreaterThan(0)
})
