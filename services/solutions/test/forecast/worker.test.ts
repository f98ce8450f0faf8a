import { expect, it } from '@jest/globals'
import { ForecastInputError, forecast, forecastInWorker } from '../../src/forecast/index.ts'
import { hourlyFrom, inputOf, officeHours, poisson, randomOf, wallClock } from './signals.ts'

const clock = wallClock('UTC')
const random = randomOf(8)
const points = hourlyFrom('2024-01-01T00:00Z', 5 * 168, (at) => poisson(random, officeHours(clock(at))))
const input = inputOf(points, { horizon: 24 })

it('returns the result of forecast and reports progress', async () => {
  const heard: number[] = []
  const output = await forecastInWorker(input, { onProgress: (fraction) => heard.push(fraction) })
  expect(output).toEqual(forecast(input))
  expect(heard.length).toBeGreaterThan(3)
  expect(heard.at(-1)).toBe(1)
})

it('terminates when aborted', async () => {
  const endless = {
    ...input,
    series: Array.from({ length: 2000 }, (_, index) => ({ key: { index: `${index}` }, points })),
  }
  const stop = new AbortController()
  const reason = new Error('cancelled by the caller')
  const run = forecastInWorker(endless, { signal: stop.signal, onProgress: () => stop.abort(reason) })
  await expect(run).rejects.toBe(reason)
  await expect(forecastInWorker(input, { signal: stop.signal })).rejects.toBe(reason)
})

it('rejects with input errors, and with errors of the progress listener', async () => {
  const refused = forecastInWorker({ ...input, timezone: 'Mars/Olympus' })
  await expect(refused).rejects.toBeInstanceOf(ForecastInputError)
  await expect(refused).rejects.toMatchObject({ code: 'timezone_unknown' })
  const listener = (): never => {
    throw new Error('the listener broke')
  }
  await expect(forecastInWorker(input, { onProgress: listener })).rejects.toThrow('the listener broke')
})
