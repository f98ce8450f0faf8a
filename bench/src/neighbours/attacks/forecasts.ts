import { send, type Workspace } from '../../harness/workspace.ts'
import { type Attack, flood, untilAborted } from './attack.ts'

const hourMs = 3_600_000

/** Returns a run over hourly series with daily and weekly seasons. @param seriesCount series of 2,000 points */
export function forecastInput(seriesCount: number, pointCount: number) {
  const startMs = Date.parse('2026-01-01T00:00:00Z')
  const valueAt = (at: number, series: number) =>
    Math.round(
      50 + 30 * Math.sin((at / 24) * 2 * Math.PI) + 10 * Math.sin((at / 168) * 2 * Math.PI + series) + (at % 7),
    )
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
  async run(hostile, outcome, signal) {
    const body = JSON.stringify(forecastInput(8, 2_000))
    let queued = 0
    const queue = (workspace: Workspace) => send(workspace, 'POST', forecastPath, { body, signal })
    await flood(2, signal, outcome, async () => {
      // Later runs replace those that have ended, so that about 30 wait.
      if (queued >= 30) await untilAborted(AbortSignal.any([signal, AbortSignal.timeout(2_000)]))
      queued += 1
      return queue(hostile)
    })
  },
}
