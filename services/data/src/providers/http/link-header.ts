/**
 * Returns the target of the first `rel=next` link in `Link` fields (RFC 8288, section 3), exactly as written. Skips
 * links with an `anchor`, as they may start from another resource.
 */
export function findNextLink(fields: string | readonly string[] | undefined): string | undefined {
  for (const field of [fields ?? []].flat())
    for (const { target, parameters } of parseLinks(field)) {
      const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
      if (relations.includes('next') && !parameters.has('anchor')) return target
    }
  return undefined
}

interface Link {
  target: string
  /** By name in lower case; the first of several parameters of one name counts. */
  parameters: Map<string, string>
}

function parseLinks(field: string): Link[] {
  const links: Link[] = []
  let at = 0
  /** Matches a pattern at the current offset and advances past it. Returns its first group. */
  const match = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(pattern, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(field)
    if (found === null) return undefined
    at = sticky.lastIndex
    return found[1] ?? ''
  }
  while (at < field.length) {
    match(/[\s,]+/)
    const target = match(/<([^>]*)>/)
    if (target === undefined) return links
    const parameters = new Map<string, string>()
    while (match(/\s*;\s*/) !== undefined) {
      const name = match(/([^\s=;,"<>]+)/)?.toLowerCase()
      if (name === undefined) continue
      const value = match(/\s*=\s*/) === undefined ? '' : (matchQuoted() ?? match(/([^\s;,]*)/) ?? '')
      if (!parameters.has(name)) parameters.set(name, value)
    }
    links.push({ target: target.trim(), parameters })
    match(/\s*/)
    if (field[at] !== ',') return links
  }
  return links

  function matchQuoted(): string | undefined {
    return match(/"((?:[^"\\]|\\.)*)"/)?.replaceAll(/\\(.)/g, '$1')
  }
}
