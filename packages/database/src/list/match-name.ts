interface NameFilter {
  /** The whole name. */
  name?: string | undefined
  /** Part of the name, in upper or lower case. */
  search?: string | undefined
}

interface NameCondition {
  name?: string | ReturnType<typeof contains> | { in: string[] }
}

/** Returns the condition of a Prisma query for a text column that contains a text, in upper or lower case. */
export const contains = (text: string) => ({
  // Prisma passes the wildcards of LIKE on.
  contains: text.replaceAll(/[\\%_]/g, String.raw`\$&`),
  mode: 'insensitive' as const,
})

/** Returns the condition of a Prisma query for the filters of a list by name. */
export function matchName({ name, search }: NameFilter): NameCondition {
  if (search === undefined) return name === undefined ? {} : { name }
  if (name === undefined) return { name: contains(search) }
  return name.toLowerCase().includes(search.toLowerCase()) ? { name } : { name: { in: [] } }
}
