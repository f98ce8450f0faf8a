import { type EndpointDefinition, type Grant, needsWorkspace, problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import type { Known } from './identities.ts'

/** Where a request runs: the grant of its workspace, or none where it needs none. */
export interface Standing {
  subject: Subject
  grant: Grant | undefined
}

interface Home {
  shard: string
  location: string
}

/**
 * Decides in which workspace a request runs. Evaluated on every request, never cached.
 * @param home where requests without a workspace are served
 * @throws Problem 400 `workspace_required`, 403 `workspace_mismatch` or `workspace_forbidden`
 */
export function standingOf(
  known: Known,
  workspaceKey: string | undefined,
  definition: EndpointDefinition,
  home: Home,
): Standing {
  const { identity, tokenScopes } = known
  const grant = chooseGrant(known, workspaceKey, definition)
  const granted = grant?.scopes ?? []
  const subject: Subject = {
    principal: identity.principal,
    credentialId: identity.credential_id,
    workspaceId: grant?.workspace_id ?? null,
    shard: grant?.shard ?? home.shard,
    location: grant?.location ?? home.location,
    scopes: tokenScopes === undefined ? granted : granted.filter((scope) => tokenScopes.includes(scope)),
  }
  return { subject, grant }
}

function chooseGrant(
  { identity, tokenWorkspaceId }: Known,
  workspaceKey: string | undefined,
  definition: EndpointDefinition,
): Grant | undefined {
  const { grants } = identity
  const embedded = identity.workspace_id ?? tokenWorkspaceId
  if (embedded !== undefined && workspaceKey !== undefined && workspaceKey !== embedded)
    throw problem('workspace_mismatch')
  const wanted = embedded ?? workspaceKey
  if (wanted !== undefined) {
    const grant = grants.find((candidate) => candidate.workspace_id === wanted)
    if (grant === undefined) throw problem('workspace_forbidden')
    return grant
  }
  const [only, another] = grants
  if (another === undefined && only !== undefined) return only
  if (needsWorkspace(definition)) throw problem('workspace_required')
  return undefined
}
