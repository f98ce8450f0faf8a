import { type EndpointDefinition, Problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import type { PresentedCredential } from './credential.ts'
import type { IdentityCache, ResolvedCredential } from './identity-cache.ts'
import type { WorkspaceSelection, WorkspaceSelector } from './workspace-selector.ts'

interface SelectedCaller {
  resolved: ResolvedCredential
  selection: WorkspaceSelection
}

/**
 * Decides where a request runs, and as whom. Who is refused a workspace may have become a member a moment ago, and the
 * answer we keep be older than that: auth is asked once more, before a user is told that what they just made is not
 * theirs.
 */
export function createWorkspaceRefetch(identities: Pick<IdentityCache, 'refetch'>, standings: WorkspaceSelector) {
  return async (
    known: ResolvedCredential,
    credential: PresentedCredential,
    workspaceKey: string | undefined,
    definition: EndpointDefinition,
  ): Promise<SelectedCaller> => {
    try {
      return { resolved: known, selection: standings.select(known, workspaceKey, definition) }
    } catch (error) {
      if (!isPossiblyStale(error, known)) throw error
      const refetched = await identities.refetch(credential)
      return { resolved: refetched, selection: standings.select(refetched, workspaceKey, definition) }
    }
  }
}

/** Not a member, or a member nowhere. */
const isPossiblyStale = (error: unknown, { identity }: ResolvedCredential): boolean =>
  error instanceof Problem &&
  (error.code === 'workspace_forbidden' || (error.code === 'workspace_required' && identity.grants.length === 0))

/** The caller as auth is told of it: with the end of its credential, and which token of its principal it shows. */
export const withCredentialDetails = (subject: Subject, { expiresAt, tokenId }: ResolvedCredential): Subject => ({
  ...subject,
  ...(Number.isFinite(expiresAt) ? { credentialExpiresAt: new Date(expiresAt).toISOString() } : {}),
  ...(tokenId === undefined ? {} : { tokenId }),
})
