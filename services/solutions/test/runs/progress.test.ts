import { describe, expect, it } from '@jest/globals'
import { throttle } from '../../src/runs/progress.ts'

/** A writer whose writes complete on demand. */
function slowWriter() {
  const written: number[] = []
  let end = () => {}
  const write = (fraction: number) => {
    written.push(fraction)
    return new Promise<void>((resolve) => {
      end = resolve
    })
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    written,
    write,
    async endOne() {
      end()
      await settle()
    },
  }
}

describe('progress', () => {
  it('is written one at a time; the latest value is written after each', async () => {
    const { written, write, endOne } = slowWriter()
    const say = throttle(write)
    for (let part = 1; part <= 10_000; part += 1) say(part / 20_000)
    expect(written).toEqual([0.01])
    await endOne()
    expect(written).toEqual([0.01, 0.5])
    await endOne()
    say(1)
    await endOne()
    expect(written).toEqual([0.01, 0.5, 1])
  })

  it('is written in whole percents and never decreases', async () => {
    const { written, write, endOne } = slowWriter()
    const say = throttle(write)
    for (const fraction of [0.1, 0.1004, 0.05, 0.109]) {
      say(fraction)
      await endOne()
    }
    expect(written).toEqual([0.1])
  })
})
