import type { Random } from '../random.ts'
import { dateOf } from './calendar.ts'
import type { Membership, Organization } from './company.ts'
import type { TeamPlan } from './teams.ts'

/** Shares of all people who join or leave during the period, and who change teams in the reorganization. */
const joining = 0.06
const leaving = 0.03
const moving = 0.035
/** Share of the split team that goes to the new one. */
const splitting = 0.4

/**
 * Creates the memberships of all people, in the order of people, then days. Some join on the first day of a month or
 * leave, and a reorganization moves some to other teams of their site.
 */
export function createMemberships(
  plan: TeamPlan,
  period: Pick<Organization, 'firstDay' | 'days' | 'people'>,
  reorganization: number | undefined,
  random: Random,
): Membership[] {
  const { people, days } = period
  const total = plan.weights.reduce((sum, weight) => sum + weight, 0)
  const memberships: Membership[] = []
  let weight = 0
  let person = 0
  for (const [team, own] of plan.weights.entries()) {
    weight += own
    for (const end = Math.round((weight / total) * people); person < end; person += 1) {
      const from = random.chance(joining) ? firstOfMonth(period, random.below(days)) : -30 - random.below(3_000)
      const until = random.chance(leaving) ? from + 1 + random.below(Math.max(1, days - from)) : undefined
      const last = until !== undefined && until > 0 && until < days ? until : undefined
      const next = reorganization === undefined ? team : moveOf(plan, team, random)
      const changes = reorganization !== undefined && next !== team && from < reorganization
      if (changes && (last === undefined || last > reorganization)) {
        memberships.push({ person, team, from, until: reorganization })
        memberships.push({ person, team: next, from: reorganization, until: last })
      } else memberships.push({ person, team, from, until: last })
    }
  }
  return memberships
}

/** Returns the team of a person after the reorganization, often the same. */
function moveOf({ split, created, movable }: TeamPlan, team: number, random: Random): number {
  if (team === split && random.chance(splitting)) return created
  const targets = random.chance(moving) ? movable.find((teams) => teams.includes(team)) : undefined
  return targets?.[random.below(targets.length)] ?? team
}

/** Returns the first day of the month of a day; may be before the period. */
function firstOfMonth(period: Pick<Organization, 'firstDay'>, day: number): number {
  return day + 1 - Number(dateOf(period, day).slice(8))
}

/** Writes the team of each person on a day into `teams`; −1 for people who are not there yet, or not any longer. */
export function assignTeams(memberships: readonly Membership[], day: number, teams: Int32Array): void {
  teams.fill(-1)
  for (const { person, team, from, until } of memberships)
    if (from <= day && (until === undefined || day < until)) teams[person] = team
}
