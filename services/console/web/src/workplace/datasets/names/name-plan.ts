import { namesPlacesForCars } from '@wp/contracts'
import { formatCount } from '../../../ui/format/format.ts'
import type { DatasetKind, DatasetValue } from '../dataset-words.ts'
import { kindOf, mayBe, type NewKind, namesDoor, type Part, partOf } from './space-kinds.ts'
import type { KnownSpace } from './space-labels.ts'

/**
 * What a name in a file stands for: a space or team that exists, a new one, that of another name, the building itself
 * (as for a reader at its door), or nothing, so that its rows are left out. Undecided if it may be a new space, or one
 * of several that were renamed.
 */
export type NameTarget =
  | { type: 'existing'; id: string }
  | { type: 'new'; kind: NewKind | 'team' }
  | { type: 'same'; value: string }
  | { type: 'building' }
  | { type: 'left_out' }
  | { type: 'undecided' }

/** A name in a file, and what is planned for it. */
export interface PlannedName {
  role: 'space' | 'team'
  value: string
  rows: number
  /** The name of the new space or team. */
  name: string
  /** The building that the value names before its own name. */
  building: string | undefined
  /** The known building that the value is in, if it names none itself. */
  parentId: string | undefined
  /** A name with more rows that differs in spaces and capitals only. */
  alike: string | undefined
  target: NameTarget
}

/** From this similarity on, a suggestion is taken unless the person chooses otherwise. */
const surelySimilar = 0.6

/**
 * Plans what the unknown names of a file become: the nearest of what is known, or else a new space or team.
 * @param kind that of the file
 * @param spaces all that exist
 * @param used the ids of those that known names of the file stand for; undefined if it has more known names
 */
export function planNames(
  values: readonly DatasetValue[],
  kind: DatasetKind,
  spaces: readonly KnownSpace[] = [],
  used?: ReadonlySet<string>,
): PlannedName[] {
  const paths = splitPaths(values.filter(({ role }) => role === 'space').map(({ value }) => value))
  const alike = findAlike(values)
  const names = values.toSorted(byRoleAndName).map(({ role, value, rows, suggestions: [best] }) => {
    const path = role === 'space' ? paths.get(value) : undefined
    const name = path?.name ?? value
    const knownId = best !== undefined && best.similarity >= surelySimilar ? best.id : undefined
    const around = spaces.find(({ id }) => id === knownId)
    const parentId = around?.kind === 'building' && path === undefined ? around.id : undefined
    const [building, part, other] = [path?.building, around && partOf(name, around), alike.get(`${role} ${value}`)]
    return { role, value, rows, name, building, parentId, alike: other, knownId, part }
  })
  const taken = new Set([...(used ?? []), ...names.flatMap(({ knownId }) => knownId ?? [])])
  const free = (part: Part) => spaces.filter((one) => !taken.has(one.id) && mayBe(part, one))
  const wanted = names.flatMap(({ part, alike }) => (part && alike === undefined ? free(part).map(({ id }) => id) : []))
  return names.map(({ knownId, part, ...planned }) => {
    const { role, name, alike } = planned
    if (knownId !== undefined && part === undefined) return { ...planned, target: { type: 'existing', id: knownId } }
    if (alike !== undefined) return { ...planned, target: { type: 'same', value: alike } }
    if (part === undefined)
      return { ...planned, target: role === 'team' ? { type: 'new', kind: 'team' } : newSpace(name, kind) }
    const [one, ...others] = free(part)
    if (one === undefined) return { ...planned, target: { type: 'new', kind: part.kind } }
    const isSure = used !== undefined && others.length === 0 && wanted.filter((id) => id === one.id).length === 1
    return { ...planned, target: isSure ? { type: 'existing', id: one.id } : { type: 'undecided' } }
  })
}

/** Removes what people write in two ways: capitals, and spaces other than those between digits. */
const keyOf = (role: string, value: string): string =>
  `${role} ${value.toLowerCase().replaceAll(/(?<!\d)\s+|\s+(?!\d)/g, '')}`

/** Returns, by role and value, the name with the most rows of those that differ in spaces and capitals only. */
function findAlike(values: readonly DatasetValue[]): Map<string, string> {
  const groups = Map.groupBy(values, ({ role, value }) => keyOf(role, value))
  return new Map(
    [...groups.values()].flatMap((group) => {
      const [main, ...others] = group.toSorted((a, b) => b.rows - a.rows)
      return main === undefined ? [] : others.map(({ role, value }) => [`${role} ${value}`, main.value] as const)
    }),
  )
}

const order = new Intl.Collator('en', { numeric: true })

/** Places come before teams, floor 2 before floor 10. */
const byRoleAndName = (a: DatasetValue, b: DatasetValue): number =>
  order.compare(a.role, b.role) || order.compare(a.value, b.value)

/**
 * Returns what a name becomes. Most that tell nothing of themselves are of floors. Those who badge in where cars are
 * come into the building; places for cars that are booked or counted are none for people. A door of a floor or room
 * counts those who are there.
 */
function newSpace(name: string, kind: DatasetKind): NameTarget {
  if (namesPlacesForCars.test(name))
    return { type: kind === 'badge_events' || kind === 'attendance_days' ? 'building' : 'left_out' }
  const found = kindOf(name)
  if (found !== 'floor' && found !== 'room' && namesDoor.test(name)) return { type: 'building' }
  return { type: 'new', kind: found ?? 'floor' }
}

const separators = [' / ', ' | ', ' > ', ' – ', ' - ', '/', '|', '>', ', ', ': ']

/**
 * Splits names such as `Berlin A | Floor 3` into a building and a name in it, if all have the same separator, and
 * several share a building.
 */
function splitPaths(values: readonly string[]): Map<string, { building: string; name: string }> {
  const separator = separators.find((each) => values.every((value) => value.includes(each)))
  if (separator === undefined || values.length < 2) return new Map()
  const paths = new Map(
    values.map((value) => {
      const at = value.lastIndexOf(separator)
      return [value, { building: value.slice(0, at).trim(), name: value.slice(at + separator.length).trim() }] as const
    }),
  )
  const parts = [...paths.values()]
  const buildings = new Set(parts.map(({ building }) => building))
  const isUseful = parts.every(({ building, name }) => building !== '' && name !== '') && buildings.size < values.length
  return isUseful ? paths : new Map()
}

export const isSameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0

/** Returns the building of a name; undefined if there is none, or several. */
export function findNamedBuilding(spaces: readonly KnownSpace[], name: string): KnownSpace | undefined {
  const [found, ...others] = spaces.filter((space) => space.kind === 'building' && isSameName(space.name, name))
  return others.length === 0 ? found : undefined
}

/**
 * Returns the names of the buildings that a plan needs a place for: those that the file names and that are not known,
 * and undefined for new places of which it names none.
 */
export function askedBuildings(plan: readonly PlannedName[], spaces: readonly KnownSpace[]): (string | undefined)[] {
  const asked = plan.flatMap(({ role, target, building, parentId }) => {
    const isNew = role === 'space' && (target.type === 'building' || target.type === 'new')
    if (!isNew) return []
    if (target.type === 'new' && target.kind === 'building') return [building]
    const isKnown = building !== undefined && findNamedBuilding(spaces, building) !== undefined
    return parentId === undefined && !isKnown ? [building] : []
  })
  return asked.filter((name, at) => asked.findIndex((other) => isSameName(other ?? '', name ?? '')) === at)
}

/**
 * Describes what waits for the names: of files but those of people, rows of unknown teams are counted in their places.
 */
export function describeWaiting(plan: readonly PlannedName[], kind: DatasetKind): string {
  const places = plan.filter(({ role }) => role === 'space')
  // A row with an unknown place may have an unknown team as well.
  const rows = (places.length > 0 ? places : plan).reduce((sum, own) => sum + own.rows, 0)
  const known = `once ${plan.length === 1 ? 'it is' : 'they are'} known`
  return places.length > 0 || kind === 'people'
    ? `${formatCount(rows, 'row')} of the file can be counted ${known}.`
    : `${formatCount(rows, 'row')} of the file ${rows === 1 ? 'counts' : 'count'} for a team ${known}. In the building they are counted.`
}
