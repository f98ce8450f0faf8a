import { describe, expect, it } from '@jest/globals'
import { pause, waitAtMost, withTimeout } from '../src/index.ts'

const never = new Promise<never>(() => {})
const longMs = 3_600_000
const createError = () => new Error('too late')

describe('pause', () => {
  it('resolves after its time', async () => {
    await expect(pause(1)).resolves.toBeUndefined()
  })

  it('resolves at once when the signal is aborted', async () => {
    const controller = new AbortController()
    const paused = pause(longMs, controller.signal)
    controller.abort()
    await expect(paused).resolves.toBeUndefined()
    await expect(pause(longMs, controller.signal)).resolves.toBeUndefined()
  })
})

describe('waitAtMost', () => {
  it('returns true when the work succeeds or fails in time', async () => {
    expect(await waitAtMost(longMs, Promise.resolve('done'))).toBe(true)
    expect(await waitAtMost(longMs, Promise.reject(new Error('failed')))).toBe(true)
  })

  it('returns false when the time has passed', async () => {
    expect(await waitAtMost(1, never)).toBe(false)
  })
})

describe('withTimeout', () => {
  it('returns the result, or the error, of work that settles in time', async () => {
    expect(await withTimeout(longMs, Promise.resolve('done'), createError)).toBe('done')
    await expect(withTimeout(longMs, Promise.reject(new Error('failed')), createError)).rejects.toThrow('failed')
  })

  it('rejects with the given error when the time has passed', async () => {
    await expect(withTimeout(1, never, createError)).rejects.toThrow('too late')
  })
})
