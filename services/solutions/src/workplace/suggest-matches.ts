import { maxTreeLevels, nearestName } from '@wp/contracts'
import { type Candidate, pathSeparator, plainName } from './match-values.ts'
import { codeParts, createFloorFinder } from './space-codes.ts'

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
  const onFloor = createFloorFinder(candidates, { inside: ofLongerCode, other: ofOther })
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
