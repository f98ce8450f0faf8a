import { type EndpointDefinition, type Grant, type Identity, needsWorkspace, Problem, problem } from '@wp/contracts'
import { entryLimit } from '@wp/runtime'
import type { Subject } from '@wp/service'
import { LRUCache } from 'lru-cache'
import type { IdentityCache } from './cache/identity-cache.ts'
import type { RequestCredential } from './credential.ts'
import type { ResolvedCredential } from './resolved-credential.ts'

/** The workspace a request runs in and the subject it runs as. */
export interface WorkspaceSelection {
  subject: Subject
  /** The grant of the workspace; undefined if the request runs in none. */
  grant: Grant | undefined
}

/** Selects the workspace a request runs in. */
export interface WorkspaceSelector {
  /**
   * @param workspaceKey the workspace the request names, if it does
   * @throws Problem 400 `workspace_required`, 403 `workspace_mismatch` or `workspace_forbidden`
   */
  select(
    resolved: ResolvedCredential,
    workspaceKey: string | undefined,
    definition: EndpointDefinition,
  ): WorkspaceSelection
}

/** The latest subject of an identity, and what it was derived from. */
interface CachedSubject {
  grant: Grant
  tokenScope: string | undefined
  tokenWorkspaceId: string | undefined
  subject: Subject
}

/** As many as the signer caches assertions for. */
const maxSubjects = 15_000

/**
 * Creates the selector. It runs on every request and returns the same subject object for the same identity, grant and
 * restrictions of the token, so that the signer can reuse its assertion.
 *
 * @param platform where requests without a workspace are served
 */
export function createWorkspaceSelector(platform: { shard: string; location: string }): WorkspaceSelector {
  const subjects = new LRUCache<Identity, CachedSubject>(entryLimit(maxSubjects))

  function subjectIn(grant: Grant, resolved: ResolvedCredential): Subject {
    const { identity, tokenScopes, tokenScope, tokenWorkspaceId } = resolved
    const cached = subjects.get(identity)
    if (cached?.grant === grant && cached.tokenScope === tokenScope && cached.tokenWorkspaceId === tokenWorkspaceId)
      return cached.subject
    const { workspace_id: workspaceId, shard, location, scopes: granted } = grant
    const scopes = tokenScopes === undefined ? granted : granted.filter((scope) => tokenScopes.includes(scope))
    const subject = { ...actorOf(identity), workspaceId, shard, location, scopes, ...restrictionMarks(resolved) }
    subjects.set(identity, { grant, tokenScope, tokenWorkspaceId, subject })
    return subject
  }

  return {
    select(resolved, workspaceKey, definition) {
      const grant = selectGrant(resolved, workspaceKey, definition)
      if (grant !== undefined) return { subject: subjectIn(grant, resolved), grant }
      const workspace = { workspaceId: null, ...platform, scopes: [] }
      const subject = { ...actorOf(resolved.identity), ...workspace, ...restrictionMarks(resolved) }
      return { subject, grant }
    },
  }
}

const actorOf = ({ principal, credential_id, client_id, customer_id }: Identity) => ({
  principal,
  credentialId: credential_id,
  ...(client_id === undefined ? {} : { clientId: client_id }),
  ...(customer_id === undefined ? {} : { customerId: customer_id }),
})

/**
 * Marks the subject of a user's token that is restricted by `scope` or to a workspace. The token of a service principal
 * always states its scopes, and reaches no more than the workspace it belongs to.
 */
function restrictionMarks({
  identity,
  tokenScopes,
  tokenWorkspaceId,
}: ResolvedCredential): Pick<Subject, 'isDownscoped' | 'isWorkspaceRestricted'> {
  if (identity.principal.type !== 'user') return {}
  return {
    ...(tokenScopes === undefined ? {} : { isDownscoped: true }),
    ...(tokenWorkspaceId === undefined ? {} : { isWorkspaceRestricted: true }),
  }
}

function selectGrant(
  { identity, tokenWorkspaceId }: ResolvedCredential,
  workspaceKey: string | undefined,
  definition: EndpointDefinition,
): Grant | undefined {
  const { grants } = identity
  const boundWorkspaceId = identity.workspace_id ?? tokenWorkspaceId
  if (boundWorkspaceId !== undefined && workspaceKey !== undefined && workspaceKey !== boundWorkspaceId)
    throw problem('workspace_mismatch')
  const workspaceId = boundWorkspaceId ?? workspaceKey
  if (workspaceId !== undefined) {
    const grant = grants.find((candidate) => candidate.workspace_id === workspaceId)
    if (grant === undefined) throw problem('workspace_forbidden')
    return grant
  }
  const [only, another] = grants
  if (another === undefined && only !== undefined) return only
  if (needsWorkspace(definition)) throw problem('workspace_required')
  return undefined
}

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
