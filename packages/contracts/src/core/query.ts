/** How queries are written: `name=value`, and for a filter over pairs `metadata[team]=north` (OpenAPI's deepObject). */
const pair = /^([a-z_]+)\[(.+)\]$/

/** The parameters of a query; what is undefined is left out. */
export function serializeQuery(query: Readonly<Record<string, unknown>> = {}): URLSearchParams {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) written.append(`${name}[${key}]`, String(member))
    else if (value !== undefined) written.append(name, String(value))
  return written
}

/** A query as it was written, before it is checked. */
export interface ParsedQuery {
  values: Record<string, string | Record<string, string>>
  /** Parameters that are given more than once. */
  duplicates: string[]
}

/** Reads the parameters of a query. */
export function parseQuery(parameters: URLSearchParams): ParsedQuery {
  // a filter's pairs are gathered in place: copied anew for each, a head full of them would take most of a second
  const given = new Map<string, string | Map<string, string>>()
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const [name, value] of parameters) {
    if (seen.has(name)) repeated.push(name)
    seen.add(name)
    const [, whole, key] = pair.exec(name) ?? []
    const pairs = whole === undefined ? undefined : given.get(whole)
    if (whole === undefined || key === undefined) given.set(name, value)
    else if (pairs instanceof Map) pairs.set(key, value)
    else given.set(whole, new Map([[key, value]]))
  }
  const written = [...given].map(([name, of]) => [name, typeof of === 'string' ? of : Object.fromEntries(of)] as const)
  return { values: Object.fromEntries(written), duplicates: repeated }
}
