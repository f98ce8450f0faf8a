import { bookingStateOf } from './booking-states.ts'
import type { DescribedColumn } from './column-roles.ts'
import { areReadersByDirection, isClockRange } from './column-traits.ts'
import { finders, type RecognizedKind } from './find-roles.ts'
import { placeOfStatus } from './places-of-work.ts'
import { countLevels, findBuilding, findLevels } from './space-levels.ts'
import * as facts from './space-words.ts'

/** Returns the column of each role of a kind that one can be told for. A column has one role. */
export function mapRoles(columns: readonly DescribedColumn[], kind: RecognizedKind): Record<string, string> {
  const mapping: Record<string, string> = {}
  const used = new Set<string>()
  for (const [role, find] of Object.entries(finders[kind])) {
    const found = find(
      columns.filter(({ name }) => !used.has(name)),
      columns.find(({ name }) => name === mapping.start || name === mapping.time),
    )
    if (found === undefined) continue
    mapping[role] = found.name
    used.add(found.name)
  }
  // A list often has one column that is both.
  if (kind === 'spaces' && mapping.name !== undefined) mapping.external_id ??= mapping.name
  if (kind === 'spaces' && namesLevels(mapping, columns)) return mapLevels(columns)
  const readers = columns.find(({ name }) => kind === 'badge_events' && name === mapping.space)
  if (readers !== undefined && areReadersByDirection(readers)) mapping.direction ??= readers.name
  if (kind === 'bookings') {
    if (mapping.end !== undefined) delete mapping.duration
    const start = columns.find(({ name }) => name === mapping.start)
    if (mapping.duration === undefined && start !== undefined && isClockRange(start)) mapping.end ??= start.name
    Object.assign(mapping, rolesOfStates(columns, mapping))
  }
  // Where people are at all, if no other column tells.
  const isPlace = (column: DescribedColumn) => column.name === mapping.status && namesPlacesOfWork(column)
  if (kind === 'attendance_days' && mapping.space === undefined && columns.some(isPlace)) {
    const { status: space = '', ...others } = mapping
    return { ...others, space }
  }
  const building = kind === 'spaces' || kind === 'people' ? undefined : findBuilding(columns, mapping.space)
  if (building !== undefined && !used.has(building)) mapping.building = building
  return kind === 'counts' ? oneMeasure(mapping) : mapping
}

/** Returns false for states of something else, such as `Approved`, and for those of bookings. */
const namesPlacesOfWork = ({ examples = [] }: DescribedColumn): boolean =>
  examples.length === 0 ||
  examples.some(
    (text) => bookingStateOf(text) === undefined && ['office', 'home'].includes(placeOfStatus(text) ?? 'away'),
  )

/**
 * Returns the roles that a column of states has beside that of cancelled bookings, if no column of its own has them.
 * Where it names no-shows, others were used or are to come; where it names those who checked in, others did not.
 */
function rolesOfStates(columns: readonly DescribedColumn[], mapping: Record<string, string>) {
  const { cancelled, checked_in: checkedIn, no_show: noShow } = mapping
  const { examples = [], name = '' } = columns.find((column) => column.name === cancelled) ?? {}
  const states = new Set(examples.map(bookingStateOf))
  if (checkedIn !== undefined || noShow !== undefined) return {}
  return {
    ...(states.has('missed') ? { no_show: name } : {}),
    ...(states.has('attended') ? { checked_in: name } : {}),
  }
}

/** Returns true unless the rows say what they are and in what they lie, or too few columns are levels. */
function namesLevels(
  { kind, parent_id: parent, ...found }: Record<string, string>,
  columns: readonly DescribedColumn[],
) {
  const levels = findLevels(columns)
  const count = countLevels(levels)
  const { examples = [] } = columns.find(({ name }) => name === kind) ?? {}
  // Names of buildings, such as `Haus Nord`, have words of kinds too.
  const isLevel = Object.values(levels).some((name) => name === kind)
  const hasKinds =
    parent !== undefined || (!isLevel && examples.some((kind) => facts.isSpaceKind(kind) && !isRoomKind(kind)))
  // `Floor 1` is a floor, and not the kind of one.
  const isNumbered = isLevel && examples.length > 0 && examples.every((text) => /\d/.test(text))
  return count > 0 && (found.name === undefined || kind === undefined || ((count > 1 || isNumbered) && !hasKinds))
}

/** Rooms of several kinds lie in the levels of their rows. */
const isRoomKind = (kind: string): boolean => /room|raum|zimmer|office|büro|salle/i.test(kind)

/**
 * Returns the columns of a list of spaces that has one for each level, such as building and floor. A number beside them
 * may be that of the row.
 */
function mapLevels(columns: readonly DescribedColumn[]): Record<string, string> {
  const { kind: _kind, name: _name, parent_id: _parent, external_id: _id, ...others } = finders.spaces
  const found = Object.entries(others).flatMap(([role, find]) => {
    const column = find(columns)
    return column === undefined ? [] : [[role, column.name] as const]
  })
  const used = new Set(found.map(([, name]) => name))
  return { ...findLevels(columns.filter(({ name }) => !used.has(name))), ...Object.fromEntries(found) }
}

/** Counts are either people present, or those who came in and went out. One direction alone tells of neither. */
function oneMeasure({ in: entries, out: exits, ...rest }: Record<string, string>): Record<string, string> {
  if (rest.value !== undefined || entries === undefined || exits === undefined) return rest
  return { ...rest, in: entries, out: exits }
}
