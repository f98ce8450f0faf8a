/** A pair of a filter: `metadata[team]=north` (`deepObject` of OpenAPI). */
const pairPattern = /^([a-z_]+)\[(.+)\]$/

/** Serializes a query; undefined parameters are omitted. An object becomes pairs: `metadata[team]=north`. */
export function serializeQuery(query: Readonly<Record<string, unknown>> = {}): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) parameters.append(`${name}[${key}]`, String(member))
    else if (value !== undefined) parameters.append(name, String(value))
  return parameters
}

/** A parsed query before validation. */
export interface ParsedQuery {
  values: Record<string, string | Record<string, string>>
  /** Parameters that occur more than once. */
  duplicates: string[]
}

/** Parses a query. Takes linear time: the pairs of a filter are collected in place. */
export function parseQuery(parameters: URLSearchParams): ParsedQuery {
  const values = new Map<string, string | Map<string, string>>()
  const seen = new Set<string>()
  const duplicates: string[] = []
  for (const [name, value] of parameters) {
    const [, filter, key] = pairPattern.exec(name) ?? []
    const pairs = values.get(filter ?? name)
    if (seen.has(name)) duplicates.push(name)
    else if (pairs !== undefined && pairs instanceof Map !== (filter !== undefined)) duplicates.push(filter ?? name)
    seen.add(name)
    if (filter === undefined || key === undefined) values.set(name, value)
    else if (pairs instanceof Map) pairs.set(key, value)
    else values.set(filter, new Map([[key, value]]))
  }
  const entries = [...values].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : Object.fromEntries(value),
  ])
  return { values: Object.fromEntries(entries), duplicates }
}
