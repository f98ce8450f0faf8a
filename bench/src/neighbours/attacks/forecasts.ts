import { untilAborted } from '@wp/testkit'
import { send } from '../../harness/workspace.ts'
import { type Attack, flood } from './attack.ts'

const hourMs = 3_600_000

/** Returns a run over hourly series with daily and weekly seasons. @param seriesCount series of 2,000 points */
export function forecastInput(seriesCount: number, pointCount: number) {
  const startMs = Date.parse('2026-01-01T00:00:00Z')
  const wave = (at: number, hours: number, shift = 0) => Math.sin((at / hours) * 2 * Math.PI + shift)
  const valueAt = (at: number, series: number) =>
    Math.round(50 + 30 * wave(at, 24) + 10 * wave(at, 168, series) + (at % 7))
  return {
    frequency: 'hour',
    timezone: 'UTC',
    horizon: 48,
    series: Array.from({ length: seriesCount }, (_, series) => ({
      key: { room: `${series}` },
      points: Array.from({ length: pointCount }, (_, at) => ({
        ts: new Date(startMs + at * hourMs).toISOString(),
        value: valueAt(at, series),
      })),
    })),
  }
}

export const forecastPath = '/v1/solutions/workplace/forecast/runs'

export const forecasts: Attack = {
  probe: 'forecast',
  run(hostile, outcome, signal) {
    const body = JSON.stringify(forecastInput(8, 2_000))
    return flood(2, signal, outcome, async (serial) => {
      // Later runs replace those that have ended, so that about 30 wait.
      if (serial > 30) await untilAborted(AbortSignal.any([signal, AbortSignal.timeout(2_000)]))
      return send(hostile, 'POST', forecastPath, { body, signal })
    })
  },
}
