import { invalidField } from '@wp/contracts'

type Pairs = Readonly<Record<string, string>>

/** Maximum number of pairs of one resource. */
const maxPairs = 20

type Patch = Readonly<Record<string, string | null>> | null

/**
 * Applies a JSON Merge Patch (RFC 7396) to the `metadata` of a resource. Returns undefined without a patch.
 *
 * @throws Problem `validation_failed` at /metadata if the result has too many pairs
 */
export function mergeMetadata(current: Pairs, patch: Patch): Record<string, string>
export function mergeMetadata(current: Pairs, patch: Patch | undefined): Record<string, string> | undefined
export function mergeMetadata(current: Pairs, patch: Patch | undefined): Record<string, string> | undefined {
  if (patch === undefined) return undefined
  const merged = Object.entries(patch === null ? {} : { ...current, ...patch })
  const remaining = merged.filter((pair): pair is [string, string] => pair[1] !== null)
  if (remaining.length > maxPairs) throw invalidField('/metadata', `must have at most ${maxPairs} pairs once merged`)
  return Object.fromEntries(remaining)
}

/** Returns the Prisma condition for rows whose `metadata` contains all the pairs; spread it into a `where`. */
export function matchMetadata(pairs: Pairs | undefined): { AND?: { metadata: { path: string[]; equals: string } }[] } {
  if (pairs === undefined) return {}
  return { AND: Object.entries(pairs).map(([key, equals]) => ({ metadata: { path: [key], equals } })) }
}
