import { maxTreeLevels } from '@wp/contracts'
import type { Candidate } from './match-values.ts'

/** The number of a floor in a name, and what is before it: `3.OG-0123`, `Level 02`, `2nd floor`, `B2-F03-D117`. */
const numberedFloor =
  /^(.*?)(?<![\p{L}\p{N}])(?:(?:og|floor|fl|level|lvl|etage|ebene|stock|geschoss|f|l)[ ._-]?(\d{1,2})|(\d{1,2})(?:st|nd|rd|th|\.)?[ _-]?(?:og|floor|etage|stock|obergeschoss)|(eg|erdgeschoss|ground floor|rdc))(?![\p{L}\p{N}])/u

const floorOf = (text: string): { before: string[]; floor: number } | undefined => {
  const [, before = '', first, second, ground] = numberedFloor.exec(text.normalize('NFKC').toLowerCase()) ?? []
  const floor = first ?? second ?? (ground === undefined ? undefined : '0')
  return floor === undefined ? undefined : { before: codeParts(before), floor: Number(floor) }
}

/**
 * Creates a function that returns the floors which a value may name, each with its similarity: that of the only one
 * within what the value names before the floor, and that of others.
 */
export function createFloorFinder(
  candidates: readonly Candidate[],
  { inside: ofInside, other: ofOther }: { inside: number; other: number },
): (value: string) => ReadonlyMap<string, number> {
  const byId = new Map(
    candidates.map((one) => [one.id, { ...one, parts: new Set(codeParts(`${one.externalId ?? ''} ${one.name}`)) }]),
  )
  const byFloor = Map.groupBy(
    candidates.filter(({ name }) => floorOf(name)?.before.length === 0),
    ({ name }) => floorOf(name)?.floor,
  )
  const isWithin = ({ parentId }: Candidate, part: string) => {
    let above = parentId === null ? undefined : byId.get(parentId)
    for (let level = 0; above !== undefined && level < maxTreeLevels; level++) {
      if (above.parts.has(part)) return true
      above = above.parentId === null ? undefined : byId.get(above.parentId)
    }
    return false
  }
  return (value) => {
    const named = floorOf(value)
    const floors = (named && byFloor.get(named.floor)) ?? []
    const inside = floors.filter((one) => named?.before.every((part) => isWithin(one, part)))
    return new Map(floors.map((one) => [one.id, inside.length === 1 && inside[0] === one ? ofInside : ofOther]))
  }
}

const doors = new Set([
  'in',
  'out',
  'desk',
  'platz',
  'arbeitsplatz',
  'eingang',
  'ausgang',
  'entrance',
  'exit',
  'entry',
  'door',
  'tür',
  'gate',
  'reader',
  'leser',
])

/** Returns the parts of a code: `BER-A-01` and `BER/A/OG1 Eingang` have `ber`, `a` and `1`. */
export const codeParts = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // German names of upper floors, and of the ground floor.
    .replaceAll(/\b(?:og[ ._-]?(\d{1,2})|(\d{1,2})\.? ?og)\b/g, ' $1$2 ')
    .replaceAll(/\beg\b/g, '0')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '' && !doors.has(part))
    .map((part) => part.replace(/^0+(?=\d)/, ''))
