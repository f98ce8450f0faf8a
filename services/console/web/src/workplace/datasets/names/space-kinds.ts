import { namesPlacesForCars } from '@wp/contracts'
import type { KnownSpace } from './space-labels.ts'

/** The kinds of spaces that a name in a file can become. */
export const newKinds = ['building', 'floor', 'zone', 'room'] as const
export type NewKind = (typeof newKinds)[number]

/** Matches the names of doors. */
export const namesDoor =
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

/** Returns the kind that the words of a name tell. */
export const kindOf = (name: string): NewKind | undefined => kindPatterns.find(([, pattern]) => pattern.test(name))?.[0]

/** A floor or room that is only known to be in a building or site. */
export interface Part {
  kind: NewKind
  around: KnownSpace
  numbers: ReadonlySet<number>
}

/** Returns the part of a building or site that a name is of; undefined if it is that of all of it, or of its door. */
export function partOf(name: string, around: KnownSpace): Part | undefined {
  const kind = kindOf(name)
  // A room without a number may be a word for the building: `Berlin Office`.
  const isPart = kind === 'floor' || (kind === 'room' && /\d/.test(name))
  if ((around.kind !== 'building' && around.kind !== 'site') || !isPart) return undefined
  if (namesPlacesForCars.test(name) || namesDoor.test(name)) return undefined
  return { kind, around, numbers: numbersOf(name, around) }
}

/** Returns true if a part may be a space that was renamed: one of its kind and place whose numbers are no others. */
export function mayBe({ kind, around, numbers }: Part, space: KnownSpace): boolean {
  if (space.kind !== kind || space.parent_id !== around.id) return false
  const own = numbersOf(space.name, around)
  return [...numbers].every((each) => own.has(each)) || [...own].every((each) => numbers.has(each))
}

const levelWords: readonly (readonly [level: number, RegExp])[] = [
  [0, /^(?:eg|erdgeschoss|erdgeschoß|gf|ground|rdc|rez)$/],
  [-1, /^(?:ug|untergeschoss|untergeschoß|kg|keller|kellergeschoss|basement)$/],
  [Number.POSITIVE_INFINITY, /^(?:dg|dachgeschoss|dachgeschoß|attic)$/],
]

/** Returns the numbers of a name but those of what it is in; below ground they are negative: `2. UG`. */
function numbersOf(name: string, around: KnownSpace): ReadonlySet<number> {
  const wordsOf = (text: string) => text.toLowerCase().match(/(?<![\p{L}\d])-\d+|\d+|\p{L}+/gu) ?? []
  const words: string[] = [...wordsOf(name)]
  for (const word of wordsOf(around.name)) if (words.includes(word)) words.splice(words.indexOf(word), 1)
  const level = levelWords.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0]
  const numbers = words.map(Number).filter(Number.isInteger)
  if (level === -1 && numbers.length > 0) return new Set(numbers.map((number) => -Math.abs(number)))
  return new Set([...(level === undefined ? [] : [level]), ...numbers])
}
