import type { SeriesProfile } from '../forecast/shapes.ts'
import type { WeekdayDemand } from './weekday-demand.ts'

/** A series on one weekday. */
export interface Unit {
  profile: SeriesProfile
  demand: WeekdayDemand
  /** Its capacity, or its usual peak. */
  reference: number
  isUnderused: boolean
}

/** The part of the people of a closed unit that another one takes in. */
export interface Host {
  unit: Unit
  people: number
  /** The demand of the host with everyone it takes in, on 9 days of 10. */
  upperAfter: number
}

/**
 * Decides which underused units can be closed on one weekday: the emptiest first, as long as the others have room for
 * everyone who is expected on 9 days of 10. Demands are added although they peak at different hours. A unit without a
 * capacity takes in no people, and a unit that takes in others stays open.
 * @returns the hosts of each unit to be closed
 */
export function planClosures(units: readonly Unit[]): Map<Unit, Host[]> {
  const loads = new Map(units.map((unit) => [unit, unit.demand.upper]))
  const hosting = new Set<Unit>()
  const closures = new Map<Unit, { unit: Unit; people: number }[]>()
  const roomOf = (unit: Unit): number => (unit.profile.capacity ?? 0) - (loads.get(unit) ?? 0)
  const shareOf = ({ demand, reference }: Unit): number => demand.expected / reference
  const candidates = units.filter(({ isUnderused }) => isUnderused).toSorted((a, b) => shareOf(a) - shareOf(b))
  for (const candidate of candidates) {
    if (hosting.has(candidate)) continue
    const possible = units
      .filter((unit) => unit !== candidate && !closures.has(unit) && roomOf(unit) > 0)
      .toSorted((a, b) => roomOf(b) - roomOf(a))
    const hosts = allot(candidate.demand.upper, possible, roomOf)
    if (hosts === null) continue
    for (const { unit, people } of hosts) {
      hosting.add(unit)
      loads.set(unit, (loads.get(unit) ?? 0) + people)
    }
    closures.set(candidate, hosts)
  }
  const withLoad = (part: { unit: Unit; people: number }): Host => ({ ...part, upperAfter: loads.get(part.unit) ?? 0 })
  return new Map([...closures].map(([unit, hosts]) => [unit, hosts.map(withLoad)]))
}

/** Divides people between units with room, most room first. @returns null if there is too little room */
function allot(
  people: number,
  units: readonly Unit[],
  roomOf: (unit: Unit) => number,
): { unit: Unit; people: number }[] | null {
  const parts: { unit: Unit; people: number }[] = []
  let left = people
  for (const unit of units) {
    if (left <= 0 && parts.length > 0) break
    const part = Math.min(left, roomOf(unit))
    parts.push({ unit, people: part })
    left -= part
  }
  return parts.length > 0 && left <= 0 ? parts : null
}
