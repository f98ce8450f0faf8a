import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDefinition, Problem, problem, publicEndpoints, surfaceOf } from '@wp/contracts'
import { assertionHeader, authorizeSubject, type Subject, sendProblem, traceparentOf } from '@wp/service'
import { anonymousSubject, type Context } from './context.ts'
import { createEndpointTable, type MatchedEndpoint } from './endpoint-table.ts'
import { createIdleTimeout } from './forward/config.ts'
import { sanitizeHeaders } from './forward/sanitize-headers.ts'
import { transportFor } from './forward/transport.ts'
import { clientAddress } from './identify/client-address.ts'
import { readClaims, rejectRepeatedHeaders } from './identify/credential.ts'
import type { ResolvedCredential as Identified } from './identify/identity-cache.ts'
import { createWorkspaceRefetch, withCredentialDetails } from './identify/workspace-refetch.ts'
import { createWorkspaceSelector } from './identify/workspace-selector.ts'
import { enforceRateLimits, limitInvalidCredentials } from './limit/enforce-rate-limits.ts'

/** What is known of a request before its way begins. */
interface RequestMetadata {
  requestId: string
  /** The client sends its body only when it is told to (RFC 9110 section 10.1.1). */
  awaitsContinue: boolean
}

type Handler = (request: IncomingMessage, response: ServerResponse, arrival: RequestMetadata) => Promise<void>

/** The way of every request: find the endpoint, identify, authorize, limit, clean, sign, forward. */
export function createEdge(context: Context): Handler {
  const {
    config,
    log,
    metrics,
    signer,
    upstreams,
    rateLimiter: windows,
    invalidCredentialLimiter: guesses,
    denialRecorder: denials,
  } = context
  const table = createEndpointTable()
  const idleTimeoutMs = createIdleTimeout(config)
  const admit = createWorkspaceRefetch(
    context.identityCache,
    createWorkspaceSelector({ shard: config.SHARD, location: config.LOCATION }),
  )

  async function authorize(
    { definition, service }: MatchedEndpoint,
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<Subject> {
    if (definition.credentials === 'none') return anonymousSubject(config)
    const { resolved: known, kind, selection: standing } = await identify(definition, request, response, address)
    try {
      const kinds: readonly string[] = definition.credentials ?? ['bearer', 'apiKey']
      if (!kinds.includes(kind)) throw problem('bearer_required')
      authorizeSubject(definition, standing.subject)
    } catch (thrown) {
      const { workspaceId } = standing.subject
      denials.record({
        error: thrown,
        definition,
        request,
        requestId: requestIdFor(response),
        clientAddress: address,
        resolved: known,
        workspaceId,
      })
      throw thrown
    }
    enforceRateLimits(windows, known, standing, service, response)
    // only auth deals in credentials; elsewhere it would make an assertion of every token
    return surfaceOf(definition) === 'auth' ? withCredentialDetails(standing.subject, known) : standing.subject
  }

  async function identify(
    definition: EndpointDefinition,
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ) {
    let known: Identified | undefined
    try {
      const { credential, workspaceKey } = readClaims(request)
      if (credential === undefined) throw problem('missing_credential')
      known = await context.identityCache.find(credential)
      const admitted = await admit(known, credential, workspaceKey, definition)
      return { ...admitted, kind: credential.kind }
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_credential')
        limitInvalidCredentials(guesses, address, response)
      const requestId = requestIdFor(response)
      denials.record({
        error: error,
        definition,
        request,
        requestId,
        clientAddress: address,
        resolved: known,
        workspaceId: undefined,
      })
      throw error
    }
  }

  return async (request, response, { requestId, awaitsContinue }) => {
    const started = context.now()
    const path = pathOf(request)
    const refuseWith = (thrown: unknown) => {
      metrics.count('edge_refusals', { code: thrown instanceof Problem ? thrown.code : 'internal_error' })
      sendProblem(response, thrown, { base: config.PUBLIC_BASE_URL, requestId, log, oauth: usesOAuthErrors(path) })
    }
    try {
      const { headers } = request
      const known = table.find(request.method ?? '', path)
      const { definition, service } = known
      rejectRepeatedHeaders(request.rawHeaders)
      const address = clientAddress(request, config.TRUSTED_PROXIES)
      const subject = await authorize(known, request, response, address)
      const assertion = await signer.sign(subject, service)
      if (response.destroyed) return // nobody is left to answer
      const traceparent = traceparentOf(typeof headers.traceparent === 'string' ? headers.traceparent : undefined)
      sanitizeHeaders(headers, { basic: definition.limitClass === 'token', cookies: surfaceOf(definition) === 'auth' })
      Object.assign(headers, identityHeaders(subject), {
        'x-request-id': requestId,
        traceparent,
        'x-forwarded-for': address,
        [assertionHeader]: assertion,
      })
      response.on('close', () => {
        const labels = { endpoint: definition.id, status: String(response.statusCode) }
        metrics.observe('edge_request_seconds', (context.now() - started) / 1000, labels)
      })
      if (awaitsContinue) response.writeContinue()
      context.forward(request, response, {
        target: upstreams.addressOf(service, subject.shard),
        transport: transportFor(definition, headers.accept),
        idleMs: idleTimeoutMs(definition),
        onFailure: refuseWith,
      })
    } catch (thrown) {
      refuseWith(thrown)
    }
  }
}

const oauthErrorPaths: ReadonlySet<string> = new Set(
  publicEndpoints
    .filter(({ definition }) => definition.limitClass === 'token')
    .map(({ definition }) => definition.path),
)

/** Whether the refusals of a path also speak OAuth, whatever was wrong. */
export const usesOAuthErrors = (path: string): boolean => oauthErrorPaths.has(path)

/** For logs; services trust the assertion alone and refuse when the two disagree. */
function identityHeaders(subject: Subject): Record<string, string> {
  return {
    'x-principal-id': subject.principal.id,
    'x-principal-type': subject.principal.type,
    'x-workspace-shard': subject.shard,
    'x-workspace-location': subject.location,
    ...(subject.workspaceId === null ? {} : { 'x-workspace-id': subject.workspaceId }),
  }
}

/** What the request was stamped with. */
const requestIdFor = (response: ServerResponse): string => String(response.getHeader('x-request-id'))

/** The path of a request, without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'
