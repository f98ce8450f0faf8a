import { maxTreeLevels, nearestName } from '@wp/contracts'

/** A space or team that a value may stand for. */
export interface Candidate {
  id: string
  name: string
  externalId: string | null
  /** The space or team above. */
  parentId: string | null
}

export interface Match {
  /** Null if the value stands for nothing. */
  id: string | null
  matchedBy: 'map' | 'external_id' | 'name' | 'none' | 'left_out'
}

/**
 * Creates a matcher of the values of a file: by the map, else by the external id, else by a name that exactly one
 * candidate has, or one within that of another: `North / Floor 1`. Case, spaces and signs between words do not count in
 * names; the floors -1 and 1, or 1.1 and 11, differ.
 */
export function createMatcher(
  candidates: readonly Candidate[],
  map: Readonly<Record<string, string | null>>,
): (value: string) => Match {
  const ids = new Set(candidates.map(({ id }) => id))
  const byExternalId = new Map(candidates.map(({ id, externalId }) => [externalId, id]))
  const byId = new Map(candidates.map((one) => [one.id, { ...one, plain: plainName(one.name) }]))
  const byName = Map.groupBy(byId.values(), ({ plain }) => plain)
  const isWithin = (around: string, plainAround: string) => (one: Candidate) => {
    let above = one.parentId === null ? undefined : byId.get(one.parentId)
    for (let level = 0; above !== undefined && level < maxTreeLevels; level++) {
      if (above.externalId === around || above.plain === plainAround) return true
      above = above.parentId === null ? undefined : byId.get(above.parentId)
    }
    return false
  }
  const within = (value: string): Candidate[] => {
    const end = value.lastIndexOf(pathSeparator)
    if (end < 0) return []
    const [around, name] = [value.slice(0, end), value.slice(end + pathSeparator.length)]
    return (byName.get(plainName(name)) ?? []).filter(isWithin(around, plainName(around)))
  }
  return (value) => {
    if (Object.hasOwn(map, value)) {
      const mapped = map[value] ?? null
      if (mapped === null) return { id: null, matchedBy: 'left_out' }
      if (ids.has(mapped)) return { id: mapped, matchedBy: 'map' }
    }
    const external = byExternalId.get(value)
    if (external !== undefined) return { id: external, matchedBy: 'external_id' }
    const [named, ...others] = byName.get(plainName(value)) ?? within(value)
    return named !== undefined && others.length === 0
      ? { id: named.id, matchedBy: 'name' }
      : { id: null, matchedBy: 'none' }
  }
}

/** Between the name of a building and that of a space in it. */
export const pathSeparator = ' / '

/** Returns a name without case, spaces and signs between words, by which two names are compared. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('−', '-')
    // A space after the sign, and a dash in its place, as in `- 1` and `–1`.
    .replace(/^\s*[-–]\s*(?=\d)/, '-')
    // A minus before a number, and a point between numbers, are kept as signs that are not removed.
    .replaceAll(/(?<![\p{L}\p{N}])-(?=\d)/gu, '−')
    .replaceAll(/(?<=\d)[\s_.-]+(?=\d)/g, '·')
    .replaceAll(/[\s_.-]+/g, '')

export interface Suggestion {
  id: string
  name: string
  /** 1 for the same letters. */
  similarity: number
}

const maxSuggestions = 3

/**
 * Creates a function that returns the candidates whose names are most like a value, best first: by the pairs of letters
 * that both have. The name of a space above may stand beside its own, as in `Berlin A | Room 4.03`. A value may also
 * begin with an external id, written in another way: `BER/A/OG1 Zone Nord` is on the floor `BER-A-01`; or name a floor:
 * the desk `B2-F03-D117` is on the floor `Level 3` in `B2`.
 */
export function createSuggester(candidates: readonly Candidate[]): (value: string) => Suggestion[] {
  const names = candidates.map(({ name }) => name)
  const byId = new Map(
    candidates.map((one) => [one.id, { ...one, pairs: letterPairs(one.name), numbers: numbersOf(one.name) }]),
  )
  const byCode = Map.groupBy(candidates, ({ externalId }) => codeParts(externalId ?? '').join(' '))
  const onFloor = createFloorFinder(candidates)
  const withParents = (
    value: ReadonlySet<string>,
    { pairs, parentId }: { pairs: Set<string>; parentId: string | null },
  ) => {
    const own = shared(value, pairs)
    let best = own
    let above = own < leastOwn || parentId === null ? undefined : byId.get(parentId)
    for (let level = 0; above !== undefined && level < maxTreeLevels; level++) {
      best = Math.max(best, shared(value, new Set([...pairs, ...above.pairs])))
      above = above.parentId === null ? undefined : byId.get(above.parentId)
    }
    return best
  }
  const isElsewhere = (around: ReadonlySet<string>, { parentId }: Candidate) => {
    let above = parentId === null ? undefined : byId.get(parentId)
    for (let level = 0; above !== undefined && level < maxTreeLevels; level++) {
      if (shared(around, above.pairs) >= leastAround) return false
      above = above.parentId === null ? undefined : byId.get(above.parentId)
    }
    return true
  }
  return (value) => {
    const pairs = letterPairs(value)
    const numbers = new Set(numbersOf(value))
    const end = value.lastIndexOf(pathSeparator)
    const around = end < 0 ? undefined : letterPairs(value.slice(0, end))
    const nearest = nearestName(value, names)
    const coded = nearestCode(value, byCode)
    const floored = onFloor(value)
    return [...byId.values()]
      .map((one) => {
        const ofCode = Math.max(one.id === coded?.id ? coded.similarity : 0, floored.get(one.id) ?? 0)
        const ofName = Math.max(withParents(pairs, one), one.name === nearest ? leastOfNearest : 0)
        const isOther =
          (around !== undefined && isElsewhere(around, one)) || one.numbers.some((number) => !numbers.has(number))
        const similarity = Math.max(ofCode, isOther ? Math.min(ofName, ofOther) : ofName)
        return { id: one.id, name: one.name, similarity }
      })
      .filter(({ similarity }) => similarity >= leastSimilarity)
      .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
      .slice(0, maxSuggestions)
      .map((suggestion) => ({ ...suggestion, similarity: Math.round(suggestion.similarity * 100) / 100 }))
  }
}

const leastSimilarity = 0.4
/** Of the building that a value names, and one around a candidate. */
const leastAround = 0.5
/** At most, of a space with another number, or outside the building that a value names: it is shown and not taken. */
const ofOther = 0.5
/** Of the own name, from which the spaces above are compared too. */
const leastOwn = 0.25
/** Of a name with a slip of the keyboard. */
const leastOfNearest = 0.6

/** Of a value that is an external id in another writing, of one that goes on after it, and after one of one part. */
const [ofSameCode, ofLongerCode, ofShortCode] = [0.95, 0.8, 0.7]
/** One part alone tells enough if it has letters and digits: a number, or a word, is in too many values. */
const isCode = (parts: readonly string[]) => parts.length > 1 || /\p{L}\d|\d\p{L}/u.test(parts[0] ?? '')

/** Returns the only candidate with the longest external id that a value begins with. */
function nearestCode(
  value: string,
  byCode: ReadonlyMap<string, readonly Candidate[]>,
): { id: string; similarity: number } | undefined {
  const parts = codeParts(value)
  for (let length = parts.length; isCode(parts.slice(0, length)); length--) {
    const [found, ...others] = byCode.get(parts.slice(0, length).join(' ')) ?? []
    if (found === undefined) continue
    // The ids of two spaces that are alike tell nothing.
    if (others.length > 0) return undefined
    const ofLonger = length > 1 ? ofLongerCode : ofShortCode
    return { id: found.id, similarity: length === parts.length ? ofSameCode : ofLonger }
  }
  return undefined
}

/** The number of a floor in a name, and what is before it: `3.OG-0123`, `Level 02`, `2nd floor`, `B2-F03-D117`. */
const numberedFloor =
  /^(.*?)(?<![\p{L}\p{N}])(?:(?:og|floor|fl|level|lvl|etage|ebene|stock|geschoss|f|l)[ ._-]?(\d{1,2})|(\d{1,2})(?:st|nd|rd|th|\.)?[ _-]?(?:og|floor|etage|stock|obergeschoss)|(eg|erdgeschoss|ground floor|rdc))(?![\p{L}\p{N}])/u

const floorOf = (text: string): { before: string[]; floor: number } | undefined => {
  const [, before = '', first, second, ground] = numberedFloor.exec(text.normalize('NFKC').toLowerCase()) ?? []
  const floor = first ?? second ?? (ground === undefined ? undefined : '0')
  return floor === undefined ? undefined : { before: codeParts(before), floor: Number(floor) }
}

/** Creates a function that returns the floors which a value may name, each with its similarity. */
function createFloorFinder(candidates: readonly Candidate[]): (value: string) => ReadonlyMap<string, number> {
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
    return new Map(floors.map((one) => [one.id, inside.length === 1 && inside[0] === one ? ofLongerCode : ofOther]))
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
const codeParts = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // German names of upper floors, and of the ground floor.
    .replaceAll(/\b(?:og[ ._-]?(\d{1,2})|(\d{1,2})\.? ?og)\b/g, ' $1$2 ')
    .replaceAll(/\beg\b/g, '0')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '' && !doors.has(part))
    .map((part) => part.replace(/^0+(?=\d)/, ''))

/** Returns the numbers in a name, without leading zeros. */
const numbersOf = (name: string): string[] =>
  (name.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, ''))

function letterPairs(text: string): Set<string> {
  const letters = plainName(text)
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}

/** The coefficient of Dice: twice the shared pairs, over all pairs. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let both = 0
  for (const pair of a) if (b.has(pair)) both++
  return (2 * both) / (a.size + b.size)
}
