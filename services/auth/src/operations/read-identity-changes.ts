import { type authInternal, maxIdentityChanges, type Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { readIdentityChanges as readChanges } from '../store/identity-changes.ts'

/** Reads a page of the change log of identities. */
export const readIdentityChanges: Operation<typeof authInternal.readIdentityChanges, Context> = async (
  { database },
  _caller,
  { query: { after } },
) => await readChanges(workerQuery(database.extraPools.resolve), after, maxIdentityChanges)
