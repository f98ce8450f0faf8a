import { invalidField } from '@wp/contracts'

type Pairs = Readonly<Record<string, string>>

/** Most pairs a resource carries. */
const maxPairs = 20

/**
 * What a resource's `metadata` becomes by a PATCH, as JSON Merge Patch (RFC 7396) has it.
 * @throws Problem `validation_failed` at /metadata when it would carry too many pairs
 */
export function mergeMetadata(
  current: Pairs,
  patch: Readonly<Record<string, string | null>> | null,
): Record<string, string> {
  const merged = Object.entries(patch === null ? {} : { ...current, ...patch })
  const kept = merged.filter((pair): pair is [string, string] => pair[1] !== null)
  if (kept.length > maxPairs) throw invalidField('/metadata', `must have at most ${maxPairs} pairs once merged`)
  return Object.fromEntries(kept)
}

/**
 * The Prisma condition for rows whose `metadata` has every one of the pairs; to be spread into a `where` beside others.
 */
export function matchMetadata(pairs: Pairs | undefined): MetadataCondition {
  if (pairs === undefined) return {}
  return { AND: Object.entries(pairs).map(([key, equals]) => ({ metadata: { path: [key], equals } })) }
}

interface MetadataCondition {
  AND?: { metadata: { path: string[]; equals: string } }[]
}
