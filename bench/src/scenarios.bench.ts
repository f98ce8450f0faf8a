import { setTimeout as pause } from 'node:timers/promises'
import { objectives } from '../../services/solutions/src/scenarios/model/model.ts'
import { createScenarioThreads } from '../../services/solutions/src/scenarios/run-scenario.ts'
import type { ScenarioInput, ScenarioTeam } from '../../services/solutions/src/scenarios/scenario-input.ts'
import { randomOf } from '../../services/solutions/test/forecast/signals.ts'
import { requireOk, setRateLimits, withFleet } from './harness/fleet.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns, percentiles } from './harness/statistics.ts'

type Options = Record<'teams' | 'floors' | 'seconds', number>

/** Measures scenarios of a made site with each objective, and requests of another workspace while they are solved. */
export async function run(options: Options): Promise<void> {
  await withFleet({ services: ['auth', 'data', 'solutions'] }, async (fleet) => {
    await setRateLimits(fleet)
    const threads = createScenarioThreads()
    const before = process.memoryUsage.rss()
    /** Sends requests one after the other until the work ends. @returns their times */
    const timesBeside = async (work: Promise<unknown>): Promise<number[]> => {
      const times: number[] = []
      const ended = new AbortController()
      work.finally(() => ended.abort())
      while (!ended.signal.aborted) {
        const startedAt = performance.now()
        await requireOk(fleet.request('GET', '/v1/solutions/workplace/spaces?limit=20', { as: fleet.stranger.apiKey }))
        times.push(performance.now() - startedAt)
      }
      return times
    }
    await timesBeside(pause(1_000)) // warms up code and connections
    const alone = await timesBeside(pause(5_000))
    const results: Row[] = [{ name: 'no scenario', ...percentileColumns(percentiles(alone)) }]
    for (const objective of objectives) {
      const startedAt = performance.now()
      const solved = threads.run(makeSite(options, objective), AbortSignal.timeout(600_000))
      const times = await timesBeside(solved)
      const result = await solved
      results.push({
        name: objective,
        s: (performance.now() - startedAt) / 1000,
        gap: result?.gap ?? Number.NaN,
        'service level': 1 - (result?.risk?.overflow_days ?? Number.NaN),
        'floor days that close': result?.free.reduce((sum, { weekdays }) => sum + weekdays.length, 0) ?? Number.NaN,
        MiB: (process.memoryUsage.rss() - before) / 2 ** 20,
        ...percentileColumns(percentiles(times)),
      })
    }
    await threads.close()
    report('scenarios', results, { ...options })
  })
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri']
const [weeks, pathCount] = [12, 300]

/** A site whose floors are two thirds full on the busiest weekday, with some teams that are tied to floors. */
function makeSite({ teams, floors, seconds }: Options, objective: ScenarioInput['objective']): ScenarioInput {
  const random = randomOf(1)
  const int = (below: number) => Math.floor(random() * below)
  const busy = [0.45, 0.6, 0.62, 0.55, 0.3]
  const weekdayOf = Array.from({ length: weeks * weekdays.length }, (_, day) => day % weekdays.length)
  // Busy days are busy for all teams.
  const dayFactor = Array.from({ length: weekdayOf.length * pathCount }, () => 0.75 + 0.5 * random())
  const made = Array.from({ length: teams }, (_, at): ScenarioTeam => {
    const headcount = 8 + int(60)
    return {
      id: `team_${at}`,
      name: `Team ${at}`,
      isRemainder: false,
      headcount,
      home: at % floors,
      fixed: random() < 0.08 ? [at % floors] : null,
      excluded: random() < 0.1 ? [(at + 1) % floors] : [],
      maxFloors: random() < 0.3 ? 2 : null,
      near: random() < 0.2 ? [int(teams)].filter((other) => other !== at) : [],
      contingency: 0,
      growth: 1,
      attendance: {},
      paths: Float32Array.from(dayFactor, (factor, index) => {
        const weekday = weekdayOf[Math.floor(index / pathCount)] ?? 0
        return headcount * (busy[weekday] ?? 0) * factor * (0.8 + 0.4 * random())
      }),
    }
  })
  const people = made.reduce((sum, { headcount }) => sum + (headcount ?? 0), 0)
  return {
    objective,
    serviceLevel: 0.95,
    seconds,
    weekdays,
    weekdayOf,
    pathCount,
    teams: made,
    floors: Array.from({ length: floors }, (_, at) => ({
      id: `spc_${at}`,
      name: `Floor ${at}`,
      closed: weekdays.map(() => false),
      shut: weekdays.map(() => false),
      currency: 'EUR',
      avoidableShare: 0.35,
      capacity: Math.round((people / floors) * (0.6 + 0.4 * random())),
      annualCost: 20_000_000 + int(40_000_000),
    })),
  }
}
