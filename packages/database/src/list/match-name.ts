interface NameFilter {
  /** The whole name. */
  name?: string | undefined
  /** Part of the name, in upper or lower case. */
  search?: string | undefined
}

interface NameCondition {
  name?: string | { contains: string; mode: 'insensitive' } | { in: string[] }
}

/** Returns the condition of a Prisma query for the filters of a list by name. */
export function matchName({ name, search }: NameFilter): NameCondition {
  if (search === undefined) return name === undefined ? {} : { name }
  // Prisma passes `contains` to LIKE, where these characters have a meaning.
  if (name === undefined) return { name: { contains: search.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' } }
  return name.toLowerCase().includes(search.toLowerCase()) ? { name } : { name: { in: [] } }
}
