import { invalidField, type Weekday, weekdays } from '@wp/contracts'
import type { CostedSpace } from '../store/spaces.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { fullName, pathOf, type Tree } from '../workplace/tree.ts'
import type { ScenarioFloor } from './scenario-input.ts'
import type { AskedScenario } from './scenario-job.ts'

/**
 * Returns the floors with a capacity that open, as the changes of a scenario make them, the weekdays of any, those
 * whose people are not known, and those without places.
 */
export function floorsOf(
  spaces: Tree<CostedSpace>,
  { changes }: AskedScenario,
  { isWithin, isKnown = () => true }: { isWithin: (id: string) => boolean; isKnown?: (id: string) => boolean },
): { floors: ScenarioFloor[]; open: Weekday[]; unknown: CostedSpace[]; placeless: CostedSpace[] } {
  const capacities = new Map(changes.capacity.map((change) => [change.space_id, change.capacity]))
  const costs = new Map(changes.cost.map((change) => [change.space_id, change]))
  const inside = new Map<string, number>()
  for (const { id, parentId, capacity } of spaces.nodes.toReversed()) {
    const own = capacities.get(id) ?? capacity ?? inside.get(id)
    if (own === undefined) continue
    inside.set(id, own)
    if (parentId !== null) inside.set(parentId, (inside.get(parentId) ?? 0) + own)
  }
  const closures = changes.close_spaces.map((change) => ({
    id: change.space_id,
    weekdays: new Set<Weekday>(change.weekdays ?? weekdays),
  }))
  const unknown: CostedSpace[] = []
  const placeless: CostedSpace[] = []
  const used = spaces.nodes.flatMap((space) => {
    const capacity = inside.get(space.id) ?? 0
    if (space.kind !== 'floor' || !isWithin(space.id)) return []
    if (capacity === 0) {
      placeless.push(space)
      return []
    }
    const path = pathOf(spaces, space.id)
    const { currency, openingHours: hours } = effectiveValues(path)
    if (Object.keys(hours).length === 0) return []
    if (isKnown(space.id)) return [{ space, capacity, path, currency, hours }]
    unknown.push(space)
    return []
  })
  const open = weekdays.filter((weekday) => used.some(({ hours }) => hours[weekday] !== undefined))
  const floors = used.map(({ space, capacity, path, currency, hours }): ScenarioFloor => {
    const cost = costs.get(space.id)
    const own = closures.filter(({ id }) => path.some((around) => around.id === id))
    const isClosed = (weekday: Weekday) => own.some((closure) => closure.weekdays.has(weekday))
    const shut = open.map((weekday) => hours[weekday] === undefined)
    return {
      id: space.id,
      capacity,
      name: fullName(path),
      closed: open.map((weekday, at) => shut[at] === true || isClosed(weekday)),
      shut,
      annualCost: cost?.annual_cost ?? space.annualCost,
      currency,
      avoidableShare: cost?.avoidable_share ?? space.avoidableShare,
    }
  })
  return { floors, open, unknown, placeless }
}

/** Returns the floors that a space means: those in it, and the one that it is in. */
export function floorPositions(
  spaces: Tree<CostedSpace>,
  floors: readonly Pick<ScenarioFloor, 'id'>[],
): (id: string) => readonly number[] {
  const own = new Map(floors.map(({ id }, at) => [id, at]))
  const within = new Map<string, number[]>()
  for (const [at, { id: floor }] of floors.entries())
    for (const { id } of pathOf(spaces, floor)) if (within.get(id)?.push(at) === undefined) within.set(id, [at])
  return (id) => {
    const inside = within.get(id) ?? []
    const around = pathOf(spaces, id).flatMap((space) => (space.id === id ? [] : (own.get(space.id) ?? [])))
    return around.length === 0 ? inside : [...around, ...inside].sort((a, b) => a - b)
  }
}

/**
 * The lowest cost is found by comparing floors.
 * @throws Problem if their costs are in several currencies
 */
export function requireOneCurrency(
  floors: readonly ScenarioFloor[],
  { objective }: Pick<AskedScenario, 'objective'>,
): void {
  const costed = floors.filter(({ annualCost, avoidableShare }) => (annualCost ?? 0) * (avoidableShare ?? 0) > 0)
  const currencies = [...new Set(costed.map(({ currency }) => currency ?? 'no currency'))]
  if (objective === 'lowest_cost' && currencies.length > 1)
    throw invalidField(
      '/objective',
      `The floors have costs in ${currencies.sort().join(' and ')}, which cannot be compared: plan one site, or choose the objective fewest_floors.`,
    )
}
