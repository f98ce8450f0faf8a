import { createForecastThreads, type InputPoint } from '../../services/solutions/src/forecast/index.ts'
import { hourlyFrom, inputOf, officeHours, poisson, randomOf } from '../../services/solutions/test/forecast/signals.ts'
import { numericOption, optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'

const historyHours = 16 * 168
const hourMs = 3_600_000
const start = Date.UTC(2024, 0, 1)
const mib = 1024 * 1024

/**
 * Measures the time and the memory of one run of many groups with 16 weeks of hours each, a forecast of one week, in
 * one thread and in two. The peak is that of the whole process, input and threads included; the fewer threads come
 * first.
 *
 * Options: number of groups (default 500), `--threads n` for that number of threads alone.
 */
export async function run(options: string[]): Promise<void> {
  const groups = numericOption(options) ?? 500
  const random = randomOf(5)
  const input = {
    ...inputOf([], { horizon: 168 }),
    series: Array.from({ length: groups }, (_, desk) => ({ key: { desk: `${desk}` }, points: officePoints(random) })),
  }
  const threads = optionValue(options, '--threads')
  const rows = []
  for (const threadCount of threads === undefined ? [1, 2] : [Number(threads)]) {
    const forecastThreads = createForecastThreads(threadCount)
    const before = process.memoryUsage.rss()
    let peak = before
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 100)
    const startedAt = performance.now()
    const output = await forecastThreads.run(input, { workspaceId: 'ws_bench' })
    const seconds = (performance.now() - startedAt) / 1_000
    clearInterval(sampler)
    await forecastThreads.close()
    const failed = output.series.filter(({ error }) => error !== undefined).length
    if (failed > 0) throw new Error(`${failed} series failed`)
    rows.push({
      threads: threadCount,
      seconds,
      'ms a group': (1_000 * seconds * threadCount) / groups,
      'MiB before': before / mib,
      'MiB at most': peak / mib,
    })
  }
  report('forecast-groups', rows, { groups, historyHours })
}

function officePoints(random: () => number): InputPoint[] {
  return hourlyFrom('2024-01-01T00:00Z', historyHours, (instant) => {
    const hour = (instant - start) / hourMs
    return poisson(random, officeHours({ weekday: Math.floor(hour / 24) % 7, hour: hour % 24, date: '' }) + 0.3)
  })
}
