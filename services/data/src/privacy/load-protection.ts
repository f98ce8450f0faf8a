import type { Query } from '@wp/database'
import type { Sealer } from '@wp/service'
import type { Context } from '../context.ts'
import { findPseudonymKey, insertPseudonymKey, pseudonymKeyAssociatedData } from '../store/pseudonym-keys.ts'
import type { Source } from '../store/sources/sources.ts'
import { createPseudonymKey } from './pseudonym.ts'
import { createRowProtection, protectsColumns, type RowProtection } from './row-protection.ts'

type Config = Source['config']

/** Creates the key of the pseudonyms of a workspace in the transaction of a source that needs one. */
export async function ensurePseudonymKey(
  query: Query,
  sealer: Sealer,
  workspaceId: string,
  config: Config,
): Promise<void> {
  if (!protectsColumns(config)) return
  const sealed = sealer.seal(createPseudonymKey(), pseudonymKeyAssociatedData(workspaceId))
  await insertPseudonymKey(query, { workspaceId, sealed })
}

/**
 * Returns the protection of the rows of a source; undefined if its values are stored and shown as they are.
 * @throws Error if the key of the workspace is missing or cannot be opened
 */
export async function loadProtection(
  { database, sealer }: Pick<Context, 'database' | 'sealer'>,
  workspaceId: string,
  { config, recordAccess }: Pick<Source, 'config' | 'recordAccess'>,
): Promise<RowProtection | undefined> {
  const isRestricted = recordAccess === 'aggregates'
  if (!protectsColumns(config))
    return isRestricted ? createRowProtection({ config, isRestricted, key: undefined }) : undefined
  const sealed = await database.read({ workspaceId }, (_db, query) => findPseudonymKey(query, workspaceId))
  if (sealed === undefined) throw new Error('the workspace has no key of pseudonyms')
  return createRowProtection({
    config,
    isRestricted,
    key: sealer.open(sealed, pseudonymKeyAssociatedData(workspaceId)),
  })
}
