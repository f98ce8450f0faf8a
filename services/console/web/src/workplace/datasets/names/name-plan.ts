import { namesPlacesForCars } from '@wp/contracts'
import { formatCount } from '../../../ui/format/format.ts'
import type { DatasetKind, DatasetValue } from '../dataset-words.ts'
import type { KnownSpace } from './space-labels.ts'

/** The kinds of spaces that a name in a file can become. */
export const newKinds = ['building', 'floor', 'zone', 'room'] as const
export type NewKind = (typeof newKinds)[number]

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
 * @param used the ids of those that known names of the file stand for
 */
export function planNames(
  values: readonly DatasetValue[],
  kind: DatasetKind,
  spaces: readonly KnownSpace[] = [],
  used: ReadonlySet<string> = new Set(),
): PlannedName[] {
  const paths = splitPaths(values.filter(({ role }) => role === 'space').map(({ value }) => value))
  const alike = findAlike(values)
  return values.toSorted(byRoleAndName).map(({ role, value, rows, suggestions: [best] }) => {
    const path = role === 'space' ? paths.get(value) : undefined
    const name = path?.name ?? value
    const other = alike.get(`${role} ${value}`)
    const isKnown = best !== undefined && best.similarity >= surelySimilar
    return {
      role,
      value,
      rows,
      name,
      building: path?.building,
      alike: other,
      target: isKnown
        ? (targetInside(name, best.id, spaces, used) ?? { type: 'existing', id: best.id })
        : other !== undefined
          ? { type: 'same', value: other }
          : role === 'team'
            ? { type: 'new', kind: 'team' }
            : newSpace(name, kind),
    }
  })
}

/**
 * Returns what a floor or room becomes that is only known to be in a building: the only space of its kind there that no
 * other name stands for, as it may have been renamed. Undefined if the name is that of the building.
 */
function targetInside(
  name: string,
  buildingId: string,
  spaces: readonly KnownSpace[],
  used: ReadonlySet<string>,
): NameTarget | undefined {
  const kind = kindOf(name)
  const around = spaces.find(({ id }) => id === buildingId)?.kind
  // A room without a number may be a word for the building: `Berlin Office`.
  const isPart = kind === 'floor' || (kind === 'room' && /\d/.test(name))
  if ((around !== 'building' && around !== 'site') || !isPart) return undefined
  const [free, ...others] = spaces.filter(
    (one) => one.kind === kind && one.parent_id === buildingId && !used.has(one.id),
  )
  if (free === undefined) return { type: 'new', kind }
  return others.length === 0 ? { type: 'existing', id: free.id } : { type: 'undecided' }
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

const outside =
  /eingang|ausgang|entrance|\bexit|entry|reception|empfang|foyer|lobby|drehkreuz|turnstile|\bgate|\bdoor\b|tür(?:en?)?\b|\btor\b|pforte/i
const kindPatterns: readonly (readonly [NewKind, RegExp])[] = [
  [
    'floor',
    /etage|geschoss|stock|floor|storey|level|ebene|^-?\d{1,2}$|\bl\d{1,2}\b|\b(?:eg|dg|ug|og)\b|\d\.? ?(?:og|ug)\b/i,
  ],
  ['room', /raum|room|zimmer|meeting|salle|konferenz|besprech|(?:büro|buero)(?!geb|haus)|office|\b\d\.\d{2,}\b/i],
  ['zone', /zone|bereich|flügel|wing|area|camera|kamera|sensor|ceiling|decke\b/i],
  ['building', /gebäude|gebaeude|building|haus|bâtiment|tower|turm/i],
]

const kindOf = (name: string): NewKind | undefined => kindPatterns.find(([, pattern]) => pattern.test(name))?.[0]

/**
 * Returns what a name becomes. Most that tell nothing of themselves are of floors. Those who badge in where cars are
 * come into the building; places for cars that are booked or counted are none for people. A door of a floor or room
 * counts those who are there.
 */
function newSpace(name: string, kind: DatasetKind): NameTarget {
  if (namesPlacesForCars.test(name))
    return { type: kind === 'badge_events' || kind === 'attendance_days' ? 'building' : 'left_out' }
  const found = kindOf(name)
  if (found !== 'floor' && found !== 'room' && outside.test(name)) return { type: 'building' }
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

/** Returns true if a plan makes spaces in a building that the file does not name, or that is not known. */
export const needsBuilding = (plan: readonly PlannedName[], spaces: readonly KnownSpace[]): boolean =>
  plan.some(
    ({ role, target, building }) =>
      role === 'space' &&
      (target.type === 'building' || target.type === 'new') &&
      ((target.type === 'new' && target.kind === 'building') ||
        building === undefined ||
        findNamedBuilding(spaces, building) === undefined),
  )

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
