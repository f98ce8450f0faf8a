import { authInternal, type Caller } from '@wp/contracts'
import type { InternalCalls } from './internal-calls.ts'

/**
 * Creates a function that resolves a stored caller to the scopes it has now. Jobs store the caller, never a token;
 * before each attempt its current scopes are resolved, limited to those it had when it created the job.
 * @returns null if the credential was revoked, the session of an application has ended, or the principal has left the
 *   workspace
 * @throws Problem if the auth service is unavailable
 */
export const createCallerResolver =
  (internal: InternalCalls) =>
  async (caller: Caller): Promise<Caller | null> => {
    const { principal, credentialId, clientId, workspaceId, requestId, traceparent } = caller
    if (workspaceId === null) return null
    const credential = {
      type: 'caller' as const,
      principal_id: principal.id,
      principal_type: principal.type,
      credential_id: credentialId,
      ...(clientId === undefined ? {} : { client_id: clientId }),
      workspace_id: workspaceId,
    }
    const context = { workspaceId, requestId, ...(traceparent === undefined ? {} : { traceparent }) }
    const resolution = await internal.callAsSystem(authInternal.resolve, context, {
      params: {},
      query: {},
      body: credential,
    })
    if (resolution.status !== 'active') return null
    const grant = resolution.identity.grants.find((candidate) => candidate.workspace_id === workspaceId)
    if (grant === undefined) return null
    return { ...caller, scopes: caller.scopes.filter((scope) => grant.scopes.includes(scope)) }
  }
