import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from '@jest/globals'
import { createThreadPool, startWorkerThread, type ThreadPool } from '../src/worker-thread.ts'

const worker = new URL('./fixture/echo-worker.ts', import.meta.url)
const never = new AbortController().signal
let pool: ThreadPool<'id' | 'throw' | 'block', number>
const start = () => {
  pool = createThreadPool(worker, { maxHeapMib: 64 })
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

it('keeps no result while the thread lives', async () => {
  start()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // the flag defines it
  const thread = startWorkerThread<'object', object>(worker, { maxHeapMib: 64 })
  const first = new WeakRef(await thread.run('object'))
  await thread.run('object')
  await setImmediate()
  collect()
  expect([first.deref(), thread.isAlive]).toEqual([undefined, true])
  await thread.close()
})
