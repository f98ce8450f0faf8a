import type { IncomingHttpHeaders } from 'node:http'
import { type Caller, type EndpointDefinition, needsWorkspace, problem } from '@wp/contracts'
import { assertionHeader, type Subject, type VerifiedAssertion, type Verifier } from '../../assertions/assertion.ts'

/**
 * Who calls, proven by the assertion alone, and whether this endpoint is for them.
 * @param serving.shards whose workspaces are served here
 * @throws Problem 401 without a valid assertion, 403 for a signer, principal or scope the contract does not allow, 503
 *   for another cell's
 */
export async function authorize(
  definition: EndpointDefinition,
  headers: IncomingHttpHeaders,
  { verifier, shards }: { verifier: Verifier; shards: readonly string[] },
): Promise<Subject> {
  const token = headers[assertionHeader]
  if (typeof token !== 'string') throw problem('missing_credential')
  const asserted = await verifier.verify(token)
  if (asserted === undefined)
    throw problem('invalid_credential', { detail: 'The assertion is not valid for this service' })
  rejectHeaderMismatch(asserted.subject, headers)
  rejectOtherShard(asserted.subject, shards)
  checkSigner(definition, asserted)
  authorizeSubject(definition, asserted.subject)
  return asserted.subject
}

/** Whoever sends it here has a wrong address of a cell, or this service was not told of the cell: nothing would be found. */
function rejectOtherShard({ shard }: Subject, served: readonly string[]): void {
  if (served.includes(shard)) return
  const cause = new Error(`a request of the shard ${shard} came to a service of ${served.join(', ')}`)
  throw problem('service_unavailable', { cause })
}

/** The edge signs for public endpoints; every other use only where the endpoint names the signer. */
function checkSigner(definition: EndpointDefinition, { issuer, subject }: VerifiedAssertion): void {
  const isPublic = (definition.audience ?? 'public') === 'public'
  const allowed = (issuer === 'gateway' && isPublic) || definition.callers?.includes(issuer) === true
  const isSystem = subject.principal.type === 'service'
  if (!allowed || (isSystem && (definition.allowsSystemCalls !== true || subject.principal.id !== `svc:${issuer}`)))
    throw problem('caller_not_allowed', { detail: `${issuer} may not call ${definition.id}` })
}

/**
 * Whether an endpoint is for this subject: kind of credential, kind of principal, scope, workspace. Asked twice on the
 * way of a request, by the edge and by the service.
 * @throws Problem
 */
export function authorizeSubject(definition: EndpointDefinition, subject: Subject): void {
  if (subject.principal.type !== 'service') checkPrincipal(definition, subject.principal)
  requireScope(definition, subject)
  if (needsWorkspace(definition) && subject.workspaceId === null) throw problem('workspace_required')
}

function checkPrincipal(definition: EndpointDefinition, { type }: Subject['principal']): void {
  if (definition.credentials !== 'none' && type === 'anonymous') throw problem('missing_credential')
  if (type === 'api_key' && definition.credentials !== 'none' && definition.credentials?.includes('apiKey') === false)
    throw problem('bearer_required')
  if (definition.principals !== undefined && !definition.principals.includes(type)) throw problem('user_required')
}

function requireScope({ scope }: EndpointDefinition, { scopes }: Pick<Caller, 'scopes'>): void {
  if (scope !== undefined && !scopes.includes(scope))
    throw problem('missing_scope', { detail: `The scope ${scope} is needed`, extra: { required_scope: scope } })
}

/** The plain identity headers are for logs; a request whose headers and assertion disagree was tampered with. */
function rejectHeaderMismatch(subject: Subject, headers: IncomingHttpHeaders): void {
  const claimed: [string, string | null][] = [
    ['x-workspace-id', subject.workspaceId],
    ['x-workspace-shard', subject.shard],
    ['x-workspace-location', subject.location],
    ['x-principal-id', subject.principal.id],
    ['x-principal-type', subject.principal.type],
  ]
  for (const [name, value] of claimed)
    if (headers[name] !== undefined && headers[name] !== (value ?? ''))
      throw problem('invalid_credential', { detail: `${name} disagrees with the assertion` })
}
