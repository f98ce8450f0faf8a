/** Maximum size of the JSON of a tool's output, in bytes: about 25,000 tokens of a language model. */
export const maxOutputBytes = 100_000

/** Returns the size of a value as JSON, in bytes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The lengths to which texts and lists are cut, in the order in which they are tried. */
const cuts = [
  { characters: 20_000, elements: 500 },
  { characters: 4_000, elements: 100 },
  { characters: 1_000, elements: 30 },
  { characters: 300, elements: 10 },
  { characters: 100, elements: 3 },
] as const

/** A value that was cut to a size. */
export interface CutValue {
  value: unknown
  characters: number
  elements: number
}

/**
 * Cuts long texts and lists of a JSON value as little as needed for a size. Members of objects stay, so the value still
 * matches its schema.
 * @returns undefined if it is still too large
 */
export function cutToSize(value: unknown, maxBytes: number): CutValue | undefined {
  for (const cut of cuts) {
    const shorter = applyCut(value, cut)
    if (jsonBytes(shorter) <= maxBytes) return { value: shorter, ...cut }
  }
  return undefined
}

function applyCut(value: unknown, cut: (typeof cuts)[number]): unknown {
  if (typeof value === 'string')
    return value.length > cut.characters ? `${value.slice(0, cut.characters).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, cut.elements).map((element) => applyCut(element, cut))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, applyCut(member, cut)]))
}
