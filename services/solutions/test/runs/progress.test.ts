import { describe, expect, it } from '@jest/globals'
import { throttled } from '../../src/runs/progress.ts'

/** A writer whose writes end when the test says so. */
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
  it('is written one at a time: what is heard meanwhile once, by its last', async () => {
    const { written, write, endOne } = slowWriter()
    const say = throttled(write)
    for (let part = 1; part <= 10_000; part += 1) say(part / 20_000)
    expect(written).toEqual([0.01])
    await endOne()
    expect(written).toEqual([0.01, 0.5])
    await endOne()
    say(1)
    await endOne()
    expect(written).toEqual([0.01, 0.5, 1])
  })

  it('is written in whole percents and never goes back', async () => {
    const { written, write, endOne } = slowWriter()
    const say = throttled(write)
    for (const fraction of [0.1, 0.1004, 0.05, 0.109]) {
      say(fraction)
      await endOne()
    }
    expect(written).toEqual([0.1])
  })
})
