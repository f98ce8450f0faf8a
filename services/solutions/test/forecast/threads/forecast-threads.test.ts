import { afterEach, expect, it } from '@jest/globals'
import {
  createForecastThreads,
  defaultThreadCount,
  ForecastInputError,
  type ForecastThreads,
  forecast,
  forecastHierarchy,
} from '../../../src/forecast/index.ts'
import { building, inputOf as hierarchyOf } from '../hierarchy/company.ts'
import { dailyFrom, inputOf } from '../signals.ts'

const workspaceId = 'ws_a'
const points = dailyFrom('2026-01-05', 70, (day) => [100, 101, 102, 100, 10, 0, 0][day % 7] ?? 0)
/** A run of so many series. */
const runOf = (count: number) => ({
  ...inputOf(points, { frequency: 'day', horizon: 7 }),
  series: Array.from({ length: count }, (_, desk) => ({ key: { desk: `${desk}` }, points })),
})

const open = new Set<ForecastThreads>()
afterEach(async () => {
  await Promise.all([...open].map((threads) => threads.close()))
  open.clear()
})

function start(count: number): ForecastThreads {
  const threads = createForecastThreads(count)
  open.add(threads)
  return threads
}

it.each([1, 3])('returns the result of forecast, in order, and reports progress (%d threads)', async (count) => {
  const heard: number[] = []
  const output = await start(count).run(runOf(9), { workspaceId, onProgress: (fraction) => heard.push(fraction) })
  expect(output).toEqual(forecast(runOf(9)))
  expect(heard).toEqual(heard.toSorted((a, b) => a - b))
  expect(heard.length).toBeGreaterThan(9)
  expect(heard.at(-1)).toBeCloseTo(1, 9)
})

it('ends within a series when aborted, and runs others afterwards', async () => {
  const threads = start(2)
  const stop = new AbortController()
  const reason = new Error('cancelled by the caller')
  const run = threads.run(runOf(2_000), { workspaceId, signal: stop.signal, onProgress: () => stop.abort(reason) })
  const other = threads.run(runOf(3), { workspaceId })
  await expect(run).rejects.toBe(reason)
  await expect(threads.run(runOf(1), { workspaceId, signal: stop.signal })).rejects.toBe(reason)
  expect((await other).series).toHaveLength(3)
})

it('rejects with input errors, and with errors of the progress listener', async () => {
  const threads = start(1)
  const refused = threads.run({ ...runOf(3), timezone: 'Mars/Olympus' }, { workspaceId })
  await expect(refused).rejects.toBeInstanceOf(ForecastInputError)
  await expect(refused).rejects.toMatchObject({ code: 'timezone_unknown' })
  const listener = (): never => {
    throw new Error('the listener broke')
  }
  await expect(threads.run(runOf(3), { workspaceId, onProgress: listener })).rejects.toThrow('the listener broke')
  expect((await threads.run(runOf(1), { workspaceId })).series).toHaveLength(1)
})

it('shares a thread with a run of another workspace', async () => {
  const threads = start(1)
  let progress = 0
  const begun = Promise.withResolvers<void>()
  const long = threads.run(runOf(2_000), {
    workspaceId: 'ws_a',
    onProgress: (fraction) => {
      progress = fraction
      begun.resolve()
    },
  })
  const ended = expect(long).rejects.toThrow('closed')
  await begun.promise
  await threads.run(runOf(8), { workspaceId: 'ws_b' })
  // Each series of the short run waits for at most one series of the long one.
  expect(progress * 2_000).toBeLessThan(40)
  await threads.close()
  await ended
})

it.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [64, 4],
])('leaves a processor to the event loop (%d processors)', (processors, expected) => {
  expect(defaultThreadCount(processors)).toBe(expected)
})

it('runs a hierarchy like forecastHierarchy, reports progress, and ends when aborted', async () => {
  const { nodes } = building({ days: 140 })
  const input = hierarchyOf(nodes, 140)
  const threads = start(2)
  const heard: number[] = []
  const forecasted = await threads.runHierarchy(input, { workspaceId, onProgress: (fraction) => heard.push(fraction) })
  expect(forecasted).toEqual(forecastHierarchy(input))
  expect(heard).toEqual(heard.toSorted((a, b) => a - b))
  expect(heard.at(-1)).toBeCloseTo(1, 9)
  const stop = new AbortController()
  const reason = new Error('cancelled by the caller')
  const onProgress = (): void => stop.abort(reason)
  await expect(threads.runHierarchy(input, { workspaceId, signal: stop.signal, onProgress })).rejects.toBe(reason)
  await expect(threads.runHierarchy({ ...input, horizon: 0 }, { workspaceId })).rejects.toThrow('1 to 90')
})
