/**
 * A search parameter of a page: a text, a list of texts, a flag that is true or absent, one of several words, or what a
 * function reads, which returns undefined for a bad value.
 */
type Parameter = 'text' | 'texts' | 'flag' | readonly string[] | ((value: unknown) => unknown)

type ValueOf<Kind> = Kind extends readonly (infer Word)[]
  ? Word
  : Kind extends (value: unknown) => infer Value
    ? Exclude<Value, undefined>
    : Kind extends 'text'
      ? string
      : Kind extends 'texts'
        ? string[]
        : true

/** The search parameters of a page, by name. */
export type Parameters = Readonly<Record<string, Parameter>>

export type SearchFor<Of extends Parameters> = { -readonly [Name in keyof Of]?: ValueOf<Of[Name]> }

/** Reads search parameters for `validateSearch`: a bad value is left out, so that a mistyped address still opens. */
export function readSearch<const Of extends Parameters>(search: Record<string, unknown>, parameters: Of) {
  const values = Object.entries(parameters).map(([name, kind]) => [name, readParameter(search[name], kind)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as SearchFor<Of> // read by their kinds
}

function readParameter(value: unknown, kind: Parameter): unknown {
  if (typeof kind === 'function') return kind(value)
  if (kind === 'flag') return value === true || value === 'true' ? true : undefined
  if (kind === 'texts') {
    // A stored link may have one text where a list is read now.
    const texts = [value].flat().map((item) => readParameter(item, 'text'))
    return texts.includes(undefined) ? undefined : texts
  }
  // Numbers that the router has parsed become text again.
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text === '') return undefined
  return kind === 'text' || kind.includes(text) ? text : undefined
}

/** Returns search parameters with a change; members that are undefined are left out. */
export function changeSearch<Search extends Record<string, unknown>>(
  search: Search,
  change: { [Name in keyof Search]?: Search[Name] | undefined },
): Search {
  const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Search // required members are not undefined in a change
}
