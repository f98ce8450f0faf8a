import unhomoglyph from 'unhomoglyph'
import type { Tx } from '../store/client.ts'
import { listRoleNames, nameTakenProblem } from '../store/workspaces/roles.ts'
import { builtInRoleDefinitions } from './built-in-roles.ts'

/**
 * Rejects a name that looks like that of a built-in or another custom role, because people choose roles by name.
 * Requires the lock of `lockMemberships`.
 * @param ownId the role to be renamed
 * @throws Problem `name_taken`
 */
export async function requireDistinctName(
  { query }: Tx,
  workspaceId: string,
  { name, ownId }: { name: string; ownId?: string },
): Promise<void> {
  const skeleton = skeletonOf(name)
  const others = [
    ...builtInRoleDefinitions.map((role) => role.name),
    ...(await listRoleNames(query, workspaceId, ownId)),
  ]
  if (others.some((other) => skeletonOf(other) === skeleton)) throw nameTakenProblem()
}

/**
 * Returns the skeleton of a name: equal for names that look alike, such as `admin` with a Cyrillic letter, in any case
 * (https://www.unicode.org/reports/tr39/#Confusable_Detection). It is for comparison only, never shown.
 */
const skeletonOf = (name: string): string =>
  unhomoglyph(name.toLowerCase().normalize('NFD').replaceAll(ignorable, '')).toLowerCase().normalize('NFD')

/** Characters without a glyph of their own, which names from before `resourceName` may hold. */
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu
