import type { Frequency, SeriesKey, SeriesProfile } from '../forecast/shapes.ts'
import { type Host, planClosures, type Unit } from './plan-closures.ts'
import type { Recommendation, RecommendInput } from './recommendation.ts'
import { openDemandsOf, probabilityBelow, referenceOf, type WeekdayDemand } from './weekday-demand.ts'
import { figure, joinAnd, nameOf, peakName, percent, weekdaysText, windowOf } from './wording.ts'

const defaultThreshold = 0.4

/** The recommendations, and the weekdays on which a series is affected by one: as the closed part or as a host. */
export interface ConsolidationPlan {
  recommendations: Recommendation[]
  affected: Map<SeriesProfile, Set<number>>
}

/** Plan for one series on one weekday. Without hosts: it is underused, but stays open. */
interface Finding {
  unit: Unit
  hosts: Host[]
}

/**
 * Recommends to close groups on weekdays on which they stay below a share of their capacity (or, without one, of their
 * usual peak), both in the forecast and in the median of the last weeks, so that a single holiday or outage has no
 * effect. Groups that differ in the last field of the key only, such as the floors of a building, can take in each
 * other's people. If none can, the group is recommended to open a part of it only.
 */
export function consolidate({ profiles, frequency, groupBy, threshold }: RecommendInput): ConsolidationPlan {
  const affected = new Map<SeriesProfile, Set<number>>()
  const findings = new Map<SeriesProfile, Finding[]>()
  for (const siblings of siblingsOf(profiles, groupBy)) {
    const units = siblings.flatMap((profile) => unitsOf(profile, threshold ?? defaultThreshold))
    for (let weekday = 0; weekday < 7; weekday += 1) {
      const open = units.filter(({ demand }) => demand.weekday === weekday)
      const closures = planClosures(open)
      const hosts = new Set([...closures.values()].flat().map(({ unit }) => unit))
      for (const unit of open) {
        if (!unit.isUnderused && !hosts.has(unit)) continue
        affected.set(unit.profile, (affected.get(unit.profile) ?? new Set()).add(weekday))
        if (hosts.has(unit)) continue
        const finding = { unit, hosts: closures.get(unit) ?? [] }
        findings.set(unit.profile, [...(findings.get(unit.profile) ?? []), finding])
      }
    }
  }
  const recommendations = profiles.flatMap((profile) => {
    const found = profile === null ? undefined : findings.get(profile)
    if (found === undefined) return []
    const closures = found.filter(({ hosts }) => hosts.length > 0)
    return describe(closures.length > 0 ? closures : found, frequency, threshold ?? defaultThreshold)
  })
  return { recommendations, affected }
}

/** Returns the weekdays on which a series is open. */
function unitsOf(profile: SeriesProfile, threshold: number): Unit[] {
  const reference = referenceOf(profile)
  return openDemandsOf(profile).map((demand) => {
    const isUnderused = Math.max(demand.expected, demand.typical) < threshold * reference
    return { profile, demand, reference, isUnderused }
  })
}

function siblingsOf(
  profiles: readonly (SeriesProfile | null)[],
  groupBy: readonly string[] | undefined,
): SeriesProfile[][] {
  const groups = new Map<string, SeriesProfile[]>()
  for (const profile of profiles) {
    if (profile === null) continue
    const outer = orderedFields(profile.key, groupBy).slice(0, -1)
    const name = JSON.stringify(outer.map((field) => profile.key[field] ?? ''))
    groups.set(name, [...(groups.get(name) ?? []), profile])
  }
  return [...groups.values()]
}

const orderedFields = (key: SeriesKey, groupBy: readonly string[] | undefined): readonly string[] =>
  groupBy ?? Object.keys(key).sort()

function describe(findings: readonly Finding[], frequency: Frequency, threshold: number): Recommendation {
  const { unit, hosts } = peakOf(findings)
  const { profile, demand, reference } = unit
  const demands = findings.map((finding) => finding.unit.demand)
  const name = nameOf(profile.key, 'The')
  const weekdays = demands.map(({ weekday }) => weekday)
  const on = weekdaysText(weekdays)
  const window = windowOf(demands.flatMap(({ days }) => days))
  const typical = Math.max(...demands.map((one) => one.typical))
  const share = demand.expected / reference
  const yardstick = profile.capacity === undefined ? 'usual peak' : 'capacity'
  const pastDays = demands.reduce((sum, { pastPeaks }) => sum + pastPeaks.length, 0)
  const situation =
    `${peakName(frequency)} on ${comingText(demands)} is forecast at ${figure(demand.expected)}, ${percent(share)} of ` +
    `its ${yardstick} of ${figure(reference)} and under the threshold of ${percent(threshold)}. Over the last ` +
    `${pastDays} ${on} it was typically ${figure(typical)}.`
  const action = actionText(profile.key, on, demand, hosts)
  return {
    kind: 'consolidation',
    key: profile.key,
    title: hosts.length > 0 ? `Close ${name} on ${on}` : `${name} is underused on ${on}`,
    rationale: `${situation} ${action.advice}`,
    figures: {
      weekday: window.weekdays.join(', '),
      peak_forecast: demand.expected,
      peak_before: typical,
      [profile.capacity === undefined ? 'peak_usual' : 'capacity']: reference,
      share,
      threshold,
      days_considered: demands.reduce((sum, { days }) => sum + days.length, 0),
      ...hostFigures(demand, hosts),
    },
    window,
    expectedEffect: { description: action.effect, quantity: weekdays.length, unit: 'days_per_week' },
    confidence: Math.min(...findings.map((finding) => confidenceOf(finding, threshold))),
    severity: findings.reduce((sum, { unit: one }) => sum + 1 - one.demand.expected / one.reference, 0),
  }
}

/** Returns the finding of the weekday with the highest forecast. */
const peakOf = (findings: readonly Finding[]): Finding =>
  findings.reduce((highest, one) => (one.unit.demand.upper > highest.unit.demand.upper ? one : highest))

function comingText(demands: readonly WeekdayDemand[]): string {
  const [first] = demands
  if (demands.length === 1 && first?.days.length === 1)
    return `the coming ${weekdaysText([first.weekday]).slice(0, -1)}`
  const count = demands.length === 1 && first !== undefined ? `${first.days.length} ` : ''
  return `the ${count}coming ${weekdaysText(demands.map(({ weekday }) => weekday))}`
}

function actionText(key: SeriesKey, on: string, { upper }: WeekdayDemand, hosts: readonly Host[]) {
  if (hosts.length === 0)
    return {
      advice: `Consider opening fewer floors on ${on}.`,
      effect: `A part of ${nameOf(key)} can stay closed on ${on}.`,
    }
  const rooms = hosts.map(({ unit: { profile }, upperAfter }) => {
    const capacity = profile.capacity ?? upperAfter
    return `${nameOf(profile.key)}, which then holds up to ${figure(upperAfter)} of ${figure(capacity)} (${percent(upperAfter / capacity)})`
  })
  return {
    advice: `Its people, up to ${figure(upper)}, have room in ${joinAnd(rooms)}.`,
    effect: `${nameOf(key, 'The')} can stay closed on ${on}: no cleaning, heating or reception there.`,
  }
}

function hostFigures({ upper }: WeekdayDemand, hosts: readonly Host[]): Record<string, number | string> {
  if (hosts.length === 0) return {}
  const [fullest] = hosts.toSorted((a, b) => shareAfter(b) - shareAfter(a))
  return {
    people_moved: upper,
    moved_to: hosts.map(({ unit }) => nameOf(unit.profile.key)).join(', '),
    host_share_after: fullest === undefined ? 0 : shareAfter(fullest),
  }
}

const shareAfter = ({ unit, upperAfter }: Host): number => upperAfter / (unit.profile.capacity ?? upperAfter)

/** The group stays below the threshold, and each host has room for its own people and those who move. */
function confidenceOf({ unit, hosts }: Finding, threshold: number): number {
  const below = probabilityBelow(unit.demand, threshold * unit.reference)
  const fits = hosts.map((host) => {
    const movedIn = host.upperAfter - host.unit.demand.upper
    return probabilityBelow(host.unit.demand, (host.unit.profile.capacity ?? 0) - movedIn + 1e-9)
  })
  return Math.min(below, ...fits)
}
