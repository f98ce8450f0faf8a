/** Names of attributes, separated by commas, that a response must have or must not have. */
export interface ProjectionQuery {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}

/** An attribute, and a sub-attribute of it, in lower case. */
type AttributePath = readonly [name: string, sub: string | undefined]

/** Attributes that are returned always (RFC 7643 section 7). */
const always = ['schemas', 'id']

/**
 * Returns the resource with the attributes that a request selects (RFC 7644 section 3.9). Names may have the schema in
 * front and differ in case; unknown ones select nothing.
 */
export function project<Resource extends object>(resource: Resource, query: ProjectionQuery): Partial<Resource> {
  const included = pathsOf(query.attributes)
  const excluded = included === undefined ? (pathsOf(query.excludedAttributes) ?? []) : []
  const entries = Object.entries(resource).flatMap(([name, value]) => {
    if (always.includes(name)) return [[name, value]]
    const isExclusion = included === undefined
    const subs = subsOf(included ?? excluded, name)
    if (subs === undefined) return isExclusion ? [[name, value]] : []
    if (subs === 'all') return isExclusion ? [] : [[name, value]]
    return [[name, selectSubs(value, (sub) => subs.includes(sub) !== isExclusion)]]
  })
  return Object.fromEntries(entries) as Partial<Resource> // a selection of its own members
}

/** Returns true if a request selects no attribute of this name. */
export function leavesOut(query: ProjectionQuery, name: string): boolean {
  const included = pathsOf(query.attributes)
  if (included !== undefined) return subsOf(included, name) === undefined
  return subsOf(pathsOf(query.excludedAttributes) ?? [], name) === 'all'
}

const pathsOf = (list: string | undefined): AttributePath[] | undefined =>
  list?.split(',').map((text) => {
    const [name = '', sub] = text
      .trim()
      .replace(/^urn:.*:/i, '')
      .toLowerCase()
      .split('.')
    return [name, sub]
  })

/** Returns the sub-attributes that are named of an attribute, or `all` of them; undefined if it is not named. */
function subsOf(paths: readonly AttributePath[], name: string): readonly string[] | 'all' | undefined {
  const own = paths.filter(([first]) => first === name.toLowerCase())
  if (own.length === 0) return undefined
  const subs = own.flatMap(([, sub]) => sub ?? [])
  return subs.length < own.length ? 'all' : subs
}

/** Selects sub-attributes of a complex value, or of each value of a list. */
function selectSubs(value: unknown, isSelected: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => selectSubs(each, isSelected))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([sub]) => isSelected(sub.toLowerCase())))
}
