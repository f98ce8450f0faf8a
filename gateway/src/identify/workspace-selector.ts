import { type EndpointDefinition, type Grant, type Identity, needsWorkspace, problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import { LRUCache } from 'lru-cache'
import type { ResolvedCredential } from './identity-cache.ts'

/** Where a request runs: the grant of its workspace, or none where it needs none. */
export interface WorkspaceSelection {
  subject: Subject
  grant: Grant | undefined
}

interface PlatformLocation {
  shard: string
  location: string
}

/** Decides in which workspace a request runs, and as whom. */
export interface WorkspaceSelector {
  /** @throws Problem 400 `workspace_required`, 403 `workspace_mismatch` or `workspace_forbidden` */
  select(
    known: ResolvedCredential,
    workspaceKey: string | undefined,
    definition: EndpointDefinition,
  ): WorkspaceSelection
}

/** What was last made of an identity. */
interface CachedSubject {
  grant: Grant
  tokenScope: string | undefined
  subject: Subject
}

/** Subjects kept at most: as many as the signer keeps assertions for. */
const maxSubjects = 15_000

/**
 * Evaluated on every request. What follows from the same identity, grant and scopes of a token is the same object each
 * time, which the signer recognises.
 * @param home where requests without a workspace are served
 */
export function createWorkspaceSelector(home: PlatformLocation): WorkspaceSelector {
  const subjects = new LRUCache<Identity, CachedSubject>({ max: maxSubjects })

  function subjectIn(grant: Grant, { identity, tokenScopes, tokenScope }: ResolvedCredential): Subject {
    const last = subjects.get(identity)
    if (last !== undefined && last.grant === grant && last.tokenScope === tokenScope) return last.subject
    const { workspace_id: workspaceId, shard, location, scopes } = grant
    const granted = tokenScopes === undefined ? scopes : scopes.filter((scope) => tokenScopes.includes(scope))
    const { principal, credential_id: credentialId } = identity
    const subject = { principal, credentialId, workspaceId, shard, location, scopes: granted }
    subjects.set(identity, { grant, tokenScope, subject })
    return subject
  }

  return {
    select(known, workspaceKey, definition) {
      const grant = chooseGrant(known, workspaceKey, definition)
      if (grant !== undefined) return { subject: subjectIn(grant, known), grant }
      const { principal, credential_id: credentialId } = known.identity
      return { subject: { principal, credentialId, workspaceId: null, ...home, scopes: [] }, grant }
    },
  }
}

function chooseGrant(
  { identity, tokenWorkspaceId }: ResolvedCredential,
  workspaceKey: string | undefined,
  definition: EndpointDefinition,
): Grant | undefined {
  const { grants } = identity
  const embedded = identity.workspace_id ?? tokenWorkspaceId
  if (embedded !== undefined && workspaceKey !== undefined && workspaceKey !== embedded)
    throw problem('workspace_mismatch')
  const requestedId = embedded ?? workspaceKey
  if (requestedId !== undefined) {
    const grant = grants.find((candidate) => candidate.workspace_id === requestedId)
    if (grant === undefined) throw problem('workspace_forbidden')
    return grant
  }
  const [only, another] = grants
  if (another === undefined && only !== undefined) return only
  if (needsWorkspace(definition)) throw problem('workspace_required')
  return undefined
}
