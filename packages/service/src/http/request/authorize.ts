import type { IncomingHttpHeaders } from 'node:http'
import {
  acceptsSystemCall,
  type Caller,
  callersOf,
  type EndpointDefinition,
  isPublic,
  needsWorkspace,
  problem,
  rejectsDownscopedTokens,
  rejectsWorkspaceTokens,
  type Scope,
} from '@wp/contracts'
import { assertionHeader, type Subject, type VerifiedAssertion, type Verifier } from '../../assertions/assertion.ts'

interface AuthenticationOptions {
  verifier: Verifier
  /** Shards whose workspaces this service serves. */
  shards: readonly string[]
}

/**
 * Authenticates the caller by the assertion alone and checks that the endpoint accepts them.
 * @throws Problem 401 without a valid assertion; 403 for a signer, principal or scope the contract does not allow; 503
 *   for a workspace of another cell
 */
export async function authorize(
  definition: EndpointDefinition,
  headers: IncomingHttpHeaders,
  options: AuthenticationOptions,
): Promise<Subject> {
  const assertion = await authenticate(headers, options)
  authorizeSigner(definition, assertion)
  authorizeSubject(definition, assertion.subject)
  return assertion.subject
}

/**
 * Returns the assertion of a request.
 * @throws Problem 401 without a valid assertion; 503 for a workspace of another cell
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  { verifier, shards }: AuthenticationOptions,
): Promise<VerifiedAssertion> {
  const token = headers[assertionHeader]
  if (typeof token !== 'string') throw problem('missing_credential')
  const assertion = await verifier.verify(token)
  if (assertion === undefined)
    throw problem('invalid_credential', { detail: 'The assertion is not valid for this service' })
  rejectHeaderMismatch(assertion.subject, headers)
  rejectOtherShard(assertion.subject, shards)
  return assertion
}

/**
 * A request of another cell was sent to a wrong address, or CELLS of this service is incomplete: it has no data of it.
 */
function rejectOtherShard({ shard }: Subject, served: readonly string[]): void {
  if (served.includes(shard)) return
  const cause = new Error(`received a request of shard ${shard}; this service serves ${served.join(', ')}`)
  throw problem('service_unavailable', { cause })
}

/**
 * The edge signs for public endpoints; any other signer must be listed by the endpoint. An internal endpoint is called
 * on behalf of a caller if it declares a scope, and otherwise by services on their own behalf alone.
 */
function authorizeSigner(definition: EndpointDefinition, { issuer, subject }: VerifiedAssertion): void {
  const isAllowed = (issuer === 'gateway' && isPublic(definition)) || callersOf(definition).includes(issuer)
  const isSubjectAllowed =
    subject.principal.type === 'service'
      ? subject.principal.id === `svc:${issuer}` && acceptsSystemCall(definition, issuer)
      : isPublic(definition) || definition.scope !== undefined
  if (!isAllowed || !isSubjectAllowed)
    throw problem('caller_not_allowed', { detail: `${issuer} may not call ${definition.id}` })
}

/**
 * Checks that an endpoint accepts a subject: kind of credential, kind of principal, scope and workspace; and that no
 * token restricted by `scope` or to a workspace reaches an endpoint that the restriction does not cover, and no portal
 * link one that does not restrict its caller to the customer. The edge and the service both check each request.
 * @throws Problem
 */
export function authorizeSubject(definition: EndpointDefinition, subject: Subject): void {
  authorizePortalLink(definition, subject)
  // A service on its own behalf has no scopes: `authorizeSigner` has checked that the internal endpoint accepts it.
  if (subject.principal.type !== 'service' || isPublic(definition)) {
    authorizePrincipal(definition, subject.principal)
    if (definition.scope !== undefined) requireScope(subject, definition.scope)
  }
  if (subject.isDownscoped === true && rejectsDownscopedTokens(definition))
    throw problem('insufficient_scope', {
      detail: 'The token is restricted by `scope`; use one that was requested without `scope`',
    })
  if (subject.isWorkspaceRestricted === true && rejectsWorkspaceTokens(definition))
    throw problem('insufficient_scope', {
      detail: 'The token is restricted to a workspace; use one that was requested without `workspace_id`',
    })
  if (needsWorkspace(definition) && subject.workspaceId === null) throw problem('workspace_required')
}

/** Portal links reach the endpoints that declare it, and no others: not even by a service that acts for one. */
function authorizePortalLink({ portal }: EndpointDefinition, { principal, customerId }: Subject): void {
  const isPortalLink = principal.type === 'portal_link' || customerId !== undefined
  if (isPortalLink && (portal !== true || customerId === undefined)) throw problem('portal_link_forbidden')
}

function authorizePrincipal(definition: EndpointDefinition, { type }: Subject['principal']): void {
  if (definition.credentials !== 'none' && type === 'anonymous') throw problem('missing_credential')
  if (type === 'api_key' && definition.credentials !== 'none' && definition.credentials?.includes('apiKey') === false)
    throw problem('bearer_required')
  if (definition.principals !== undefined && !definition.principals.includes(type)) throw problem('user_required')
}

/**
 * Asserts that a caller has a scope.
 * @param use subject of the error message, if the scope is needed for a part of what was requested
 * @throws Problem `missing_scope`
 */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope, use?: string): void {
  if (scopes.includes(scope)) return
  throw problem('missing_scope', {
    detail: use === undefined ? `The scope ${scope} is required` : `${use} requires the scope ${scope}`,
    extra: { required_scope: scope },
  })
}

/** The plain identity headers are for logs. A request whose headers contradict its assertion was tampered with. */
function rejectHeaderMismatch(subject: Subject, headers: IncomingHttpHeaders): void {
  const claims: [string, string | null][] = [
    ['x-workspace-id', subject.workspaceId],
    ['x-workspace-shard', subject.shard],
    ['x-workspace-location', subject.location],
    ['x-principal-id', subject.principal.id],
    ['x-principal-type', subject.principal.type],
  ]
  for (const [name, value] of claims)
    if (headers[name] !== undefined && headers[name] !== (value ?? ''))
      throw problem('invalid_credential', { detail: `${name} contradicts the assertion` })
}
