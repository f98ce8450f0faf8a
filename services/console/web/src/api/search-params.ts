/**
 * Readers of search parameters for `validateSearch`: a bad value is left out, so that a mistyped address still opens.
 */
type Search = Record<string, unknown>

/** Reads texts; numbers that the router has parsed become text again. */
export function readText<Name extends string>(search: Search, ...names: Name[]): { [Key in Name]?: string } {
  const entries = names.flatMap((name) => {
    const value = search[name]
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : []
  })
  return Object.fromEntries(entries) // the names are those asked for
}

/** Reads lists of texts. */
export function readTexts<Name extends string>(search: Search, ...names: Name[]): { [Key in Name]?: string[] } {
  const entries = names.flatMap((name) => {
    const value = search[name]
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? [[name, value]] : []
  })
  return Object.fromEntries(entries) // the names are those asked for
}

/** Reads one of several words. */
export function readOneOf<Name extends string, const Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [Key in Name]?: Value } {
  const value = values.find((candidate) => candidate === search[name])
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value } // the computed key is the name
}

/** Reads a flag that is true or absent. */
export function readFlag<Name extends string>(search: Search, ...names: Name[]): { [Key in Name]?: true } {
  const entries = names.flatMap((name) => (search[name] === true || search[name] === 'true' ? [[name, true]] : []))
  return Object.fromEntries(entries) // the names are those asked for
}

/** Returns search parameters with a change; members that are undefined are left out. */
export function changeSearch<Parameters extends Search>(
  search: Parameters,
  change: { [Name in keyof Parameters]?: Parameters[Name] | undefined },
): Parameters {
  const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Parameters // required members are not undefined in a change
}
