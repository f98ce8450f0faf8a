import { type EndpointDefinition, Problem } from '@wp/contracts'
import type { IdentityCache } from '../cache/identity-cache.ts'
import type { RequestCredential } from '../credential.ts'
import type { ResolvedCredential } from '../resolved-credential.ts'
import type { WorkspaceSelection, WorkspaceSelector } from './workspace-selector.ts'

interface SelectedWorkspace {
  /** The credential as it was resolved last. */
  resolved: ResolvedCredential
  selection: WorkspaceSelection
}

/**
 * Creates a function that selects the workspace of a request. A user without access may have become a member since the
 * identity was cached, for example by creating the workspace, so the identity is refetched before access is denied.
 */
export function createSelectWorkspace(identityCache: Pick<IdentityCache, 'refetch'>, selector: WorkspaceSelector) {
  return async (
    resolved: ResolvedCredential,
    credential: RequestCredential,
    workspaceKey: string | undefined,
    definition: EndpointDefinition,
  ): Promise<SelectedWorkspace> => {
    try {
      return { resolved, selection: selector.select(resolved, workspaceKey, definition) }
    } catch (error) {
      if (!isPossiblyStale(error, resolved)) throw error
      const refetched = await identityCache.refetch(credential)
      return { resolved: refetched, selection: selector.select(refetched, workspaceKey, definition) }
    }
  }
}

/** Returns true if the identity is no member of the workspace, or of none at all. */
const isPossiblyStale = (error: unknown, { identity }: ResolvedCredential): boolean =>
  error instanceof Problem &&
  (error.code === 'workspace_forbidden' || (error.code === 'workspace_required' && identity.grants.length === 0))
