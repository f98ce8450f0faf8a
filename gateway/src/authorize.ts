import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  acceptedCredentials,
  type EndpointDefinition,
  Problem,
  problem,
  requiresStepUp,
  surfaceOf,
} from '@wp/contracts'
import { authorizeSubject, type Subject } from '@wp/service'
import type { Context } from './context.ts'
import type { MatchedEndpoint } from './endpoint-table.ts'
import { transportFor } from './forward/transport.ts'
import { anonymousSubject, createAnonymousCell } from './identify/auth-calls.ts'
import { dependenciesOf } from './identify/cache/invalidations.ts'
import { missingCredential, type RequestCredential, readClaims } from './identify/credential.ts'
import { type ResolvedCredential, requireAudience, withCredentialDetails } from './identify/resolved-credential.ts'
import {
  createSelectWorkspace,
  createWorkspaceSelector,
  type WorkspaceSelection,
} from './identify/workspace-selector.ts'
import {
  enforceCallLimit,
  enforceRateLimits,
  limitInvalidCredentials,
  reportRateLimits,
} from './limit/enforce-rate-limits.ts'

/** A request on its way through authorization. */
interface AuthorizationRequest {
  endpoint: MatchedEndpoint
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  clientAddress: string
  /** Called when the caller is known, before the request can be refused for what it asks. */
  onIdentified: (subject: Subject) => void
}

/**
 * Creates a function that identifies the caller of a request, authorizes it for the endpoint and counts it against the
 * rate limits. The order of refusals: credential, workspace, permission, age of the authentication, rate limits.
 * Denials are recorded for the audit log. It throws a Problem with status 400, 401, 403, 429 or 503.
 *
 * Longer than most functions: its steps share what is created once, and read best in the order of the refusals.
 */
export function createAuthorizer(context: Context): (authorization: AuthorizationRequest) => Promise<Subject> {
  const { config, identityCache, rateLimiter, invalidCredentialLimiter, openEndpointLimits } = context
  const selector = createWorkspaceSelector({ shard: config.SHARD, location: config.LOCATION })
  const selectWorkspace = createSelectWorkspace(identityCache, selector)
  const cellOf = createAnonymousCell(config)

  async function identify(
    authorization: AuthorizationRequest,
  ): Promise<{ kind: RequestCredential['kind']; resolved: ResolvedCredential; selection: WorkspaceSelection }> {
    const { endpoint, request, response, clientAddress } = authorization
    let resolved: ResolvedCredential | undefined
    try {
      const { credential, workspaceKey } = readClaims(request, endpoint.definition.acceptsKeyAsBearer)
      if (credential === undefined) throw missingCredential()
      resolved = await identityCache.find(credential)
      if (transportFor(endpoint.definition) === 'streaming')
        context.openStreams.dependOn(response, dependenciesOf(resolved.identity))
      requireAudience(resolved, config.PUBLIC_BASE_URL, endpoint.definition.path)
      const selected = await selectWorkspace(resolved, credential, workspaceKey, endpoint.definition)
      return { ...selected, kind: credential.kind }
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_credential')
        limitInvalidCredentials(invalidCredentialLimiter, clientAddress, response)
      recordDenial(authorization, error, resolved, undefined)
      throw error
    }
  }

  function recordDenial(
    { endpoint: { definition }, request, requestId, clientAddress }: AuthorizationRequest,
    error: unknown,
    resolved: ResolvedCredential | undefined,
    workspaceId: string | null | undefined,
  ): void {
    context.denialRecorder.record({ error, definition, request, requestId, clientAddress, resolved, workspaceId })
  }

  return async (authorization) => {
    const { definition, service } = authorization.endpoint
    if (definition.credentials === 'none') {
      openEndpointLimits.admit(definition, authorization.clientAddress, authorization.response)
      return anonymousSubject(config, cellOf(definition, authorization.request.url))
    }
    const { kind, resolved, selection } = await identify(authorization)
    const { subject } = selection
    authorization.onIdentified(subject)
    try {
      checkPermission(definition, kind, subject)
      requireRecentAuthentication(definition, resolved, context.now())
    } catch (error) {
      reportRateLimits(rateLimiter, resolved, selection, service, authorization.response)
      recordDenial(authorization, error, resolved, subject.workspaceId)
      throw error
    }
    try {
      enforceRateLimits(rateLimiter, resolved, selection, service, authorization.response)
      enforceCallLimit(definition, selection.grant, context.now())
    } catch (error) {
      context.busiestWorkspaces.record(subject.workspaceId, 'limited')
      throw error
    }
    // other surfaces do without, so that one assertion serves all tokens of a principal
    return surfaceOf(definition) === 'auth' ? withCredentialDetails(subject, resolved) : subject
  }
}

function checkPermission(definition: EndpointDefinition, kind: RequestCredential['kind'], subject: Subject): void {
  // A portal link is sent like an API key; where it may be used its customer needs everything that a user can do.
  if (subject.customerId === undefined && !acceptedCredentials(definition).includes(kind))
    throw problem('bearer_required')
  authorizeSubject(definition, subject)
}

/**
 * Checks that the user has authenticated recently, if the endpoint and the access token demand it (step-up
 * authentication, RFC 9470). Called when everything else permits the request, so that no one re-authenticates in vain.
 *
 * @param now milliseconds since 1970
 * @throws Problem 401 `reauthentication_required`
 */
function requireRecentAuthentication(
  definition: EndpointDefinition,
  { authTime = 0, maxAuthAge }: Pick<ResolvedCredential, 'authTime' | 'maxAuthAge'>,
  now: number,
): void {
  if (!requiresStepUp(definition) || maxAuthAge === undefined || now / 1000 - authTime <= maxAuthAge) return
  throw problem('reauthentication_required', {
    detail: `The last authentication was more than ${maxAuthAge} seconds ago; re-authenticate and use the new token`,
    extra: { max_age: maxAuthAge },
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${maxAuthAge}"` },
  })
}
