import { authInternal, type Caller } from '@wp/contracts'
import type { InternalCalls } from './internal-calls.ts'

/**
 * What a stored caller may do now. Jobs keep who asked, never a token; before each attempt the current scopes are asked
 * for, and never more than it had when it asked.
 * @returns null when the caller was revoked or has left the workspace
 * @throws Problem when auth cannot be reached
 */
export const createCallerResolver =
  (internal: InternalCalls) =>
  async (caller: Caller): Promise<Caller | null> => {
    const { principal, credentialId, workspaceId, requestId, traceparent } = caller
    if (workspaceId === null) return null
    const presented = {
      type: 'caller' as const,
      principal_id: principal.id,
      principal_type: principal.type,
      credential_id: credentialId,
      workspace_id: workspaceId,
    }
    const about = { workspaceId, requestId, ...(traceparent === undefined ? {} : { traceparent }) }
    const resolution = await internal.callAsSystem(authInternal.resolve, about, {
      params: {},
      query: {},
      body: presented,
    })
    if (resolution.status !== 'active') return null
    const grant = resolution.identity.grants.find((candidate) => candidate.workspace_id === workspaceId)
    if (grant === undefined) return null
    return { ...caller, scopes: caller.scopes.filter((scope) => grant.scopes.includes(scope)) }
  }
