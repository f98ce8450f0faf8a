/**
 * The Prisma condition for rows whose `metadata` has every one of the pairs; to be spread into a `where` beside others.
 */
export function withMetadata(pairs: Readonly<Record<string, string>> | undefined): WithMetadata {
  if (pairs === undefined) return {}
  return { AND: Object.entries(pairs).map(([key, equals]) => ({ metadata: { path: [key], equals } })) }
}

interface WithMetadata {
  AND?: { metadata: { path: string[]; equals: string } }[]
}
