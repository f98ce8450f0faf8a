import { localMidnights } from '../forecast/index.ts'
import type { ProvenRecommendation } from '../recommendations/index.ts'
import { allWeekOf } from '../scenarios/result/scenario-result.ts'
import { dayNames, formatMoney, listDays } from '../scenarios/result/words.ts'
import type { SolvedScenario } from '../scenarios/run-scenario.ts'
import type { ScenarioResult } from '../scenarios/scenario-job.ts'
import { minTeamShare } from '../scenarios/team-share.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'

/** The scenario that a recommendation follows from. */
export type SiteScenario = Pick<SolvedScenario, 'id' | 'historyUntil' | 'horizon' | 'teamShare'> & {
  site: NonNullable<SolvedScenario['site']>
}

/**
 * Recommends to close the floors of a site that a scenario leaves free, also if the site is too full on other weekdays.
 * @returns null if none can close or nothing is saved by it, or if the scenario plans for too few of the people
 */
export function recommendClosures(
  { id, site, historyUntil, horizon, teamShare }: SiteScenario,
  { floors, free, saving, conclusion, moved_people: moved, risk, weekdays, is_feasible: isFeasible }: ScenarioResult,
): ProvenRecommendation | null {
  if (free.length === 0 || saving === null || saving.amount <= 0) return null
  if (teamShare === null || teamShare < minTeamShare) return null
  const floorDays = free.reduce((sum, floor) => sum + floor.weekdays.length, 0)
  const overflow = risk?.overflow_days ?? 0
  const closed = weekdays.filter((weekday) => free.some((floor) => floor.weekdays.includes(weekday)))
  const [from = '', until = ''] = localMidnights(
    [1, 1 + horizon].map((days) => dateOf(dayOf(historyUntil) + days)),
    site.timezone,
  )
  const closing = titleOf(site.name, free, allWeekOf(floors))
  return {
    kind: 'consolidation',
    key: { space: site.id, name: site.name },
    // A closure is no worse for those who find no place without it; they are named before the saving is.
    title: isFeasible ? closing : `Not everyone has a place in ${site.name}; even so, c${closing.slice(1)}`,
    rationale: conclusion,
    figures: { floors: free.length, floor_days: floorDays, people_moved: moved, overflow_days: overflow },
    window: { from, until, weekdays: closed.map((weekday) => (dayNames[weekday] ?? '').toLowerCase()) },
    expectedEffect: {
      description: `Saves ${formatMoney(saving.amount, saving.currency)} a year.`,
      quantity: floorDays,
      unit: 'days_per_week',
    },
    confidence: 1 - overflow,
    severity: floorDays,
    saving: { amount: saving.amount, currency: saving.currency },
    scenarioId: id,
  }
}

function titleOf(site: string, free: ScenarioResult['free'], isClosed: ReturnType<typeof allWeekOf>): string {
  const allWeek = free.filter(isClosed).length
  const [only, ...others] = free
  if (only !== undefined && others.length === 0)
    return `Close ${only.name} ${allWeek > 0 ? 'all week' : `on ${listDays(only.weekdays)}`}`
  const some = free.length - allWeek
  if (allWeek === 0 || some === 0)
    return `Close ${free.length} floors of ${site} ${some === 0 ? 'all week' : 'on some weekdays'}`
  return `Close ${allWeek} ${allWeek === 1 ? 'floor' : 'floors'} of ${site} all week, and ${some} on some weekdays`
}
