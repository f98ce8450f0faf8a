import { wordsOf } from '../column-names.ts'
import type { DescribedColumn } from './column-roles.ts'

/** Words of a column that names the space of one level around each row, the outermost level first. */
const levelWords = {
  site: /^(?:site|standort|liegenschaft|campus|location|niederlassung|objekt|ort|stadt|city|ville|sede|locatie|vestiging|werk|plant|betriebsstatte|facility|拠点)$/,
  building: /^(?:gebaude|building|batiment|edificio|gebouw|budynek|haus|建物|ヒル)$/,
  floor:
    /^(?:etage|planta|piso|piano|pietro|verdieping|stockwerk|geschoss|stock|floor|storey|story|level|ebene|niveau|フロア|階)$/,
  zone: /^(?:zone|wing|flugel)$/,
  room: /^(?:raum|room|salle|sala|zimmer|besprechungsraum|raum(?:nummer|nr|name)|zimmer(?:nummer|nr)|会議室|部屋)$/,
} as const
type Level = keyof typeof levelWords
const levels = Object.keys(levelWords) as Level[] // the keys of a constant object

/** Words beside that of the level; with others, as in `Floor area` and `Room type`, a column is of something else. */
const besideLevel = /^(?:name|id|nr|no|number|nummer|num|code|bezeichnung|label)$/

const isOfLevel = ({ name, type }: DescribedColumn, level: Level): boolean => {
  const words = wordsOf(name)
  return (
    type !== 'timestamp' &&
    type !== 'boolean' &&
    words.some((word) => levelWords[level].test(word)) &&
    words.every((word) => levelWords[level].test(word) || besideLevel.test(word))
  )
}

/** Returns the column of each level that a list of spaces has one for: `Gebäude` and `Etage`. */
export function findLevels(columns: readonly DescribedColumn[]): Partial<Record<Level, string>> {
  const found: Partial<Record<Level, string>> = {}
  for (const level of levels) {
    const column = columns.find((one) => isOfLevel(one, level) && !Object.values(found).includes(one.name))
    if (column !== undefined) found[level] = column.name
  }
  return found
}

/** Returns the column of the buildings of the floors or zones of another, whose names may come again in each. */
export function findBuilding(columns: readonly DescribedColumn[], space: string | undefined): string | undefined {
  const isInner = columns.some((one) => one.name === space && (isOfLevel(one, 'floor') || isOfLevel(one, 'zone')))
  return isInner ? columns.find((one) => isOfLevel(one, 'building'))?.name : undefined
}

/** Returns the number of levels that a mapping has columns for. */
export const countLevels = (mapping: Readonly<Record<string, string>>): number =>
  levels.filter((level) => mapping[level] !== undefined).length

/** The least share of rows with a space of their own: a few of a list may be incomplete, or there twice. */
const listedOnce = 0.8

/**
 * Returns true if a mapping is that of a list of buildings, or of what is in them: it says how large or costly each row
 * is, and its levels have enough names for a space of its own in most rows. A list of floors alone has no days.
 */
export function listsSpaces({
  mapping,
  columns,
  rows,
}: {
  mapping: Readonly<Record<string, string>>
  columns: readonly DescribedColumn[]
  rows: number | undefined
}): boolean {
  const isFloors = mapping.floor !== undefined && columns.every(({ type }) => type !== 'timestamp')
  const isInside = mapping.site !== undefined || mapping.building !== undefined || isFloors
  const isDescribed = [mapping.capacity, mapping.area_m2, mapping.annual_cost].some((name) => name !== undefined)
  const distinct = levels.map((level) => columns.find(({ name }) => name === mapping[level])?.distinct ?? 1)
  const isEach = rows === undefined || distinct.reduce((product, count) => product * count, 1) >= rows * listedOnce
  return isInside && isDescribed && isEach
}
