import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ErrorFormat,
  errorFormatOf,
  openAiPath,
  Problem,
  publicEndpoints,
  scimPath,
  sites,
  surfaceOf,
} from '@wp/contracts'
import { assertionHeader, type Subject, sendProblem } from '@wp/service'
import { createAuthorizer } from './authorize.ts'
import { createOriginCheck } from './browser/cors.ts'
import type { Context } from './context.ts'
import { createEndpointTable } from './endpoint-table.ts'
import { createIdleTimeout } from './forward/config.ts'
import { sanitizeHeaders } from './forward/sanitize-headers.ts'
import { transportFor } from './forward/transport.ts'
import { rejectRepeatedHeaders } from './identify/credential.ts'
import { reportInvalidCredentialLimit } from './limit/enforce-rate-limits.ts'
import { traceRequest } from './request-trace.ts'
import { withResourceChallenge } from './resource-challenge.ts'

interface HandlerOptions {
  requestId: string
  /** The client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1). */
  awaitsContinue: boolean
}

type Handler = (request: IncomingMessage, response: ServerResponse, options: HandlerOptions) => Promise<void>

/**
 * Handles a request: finds the endpoint, identifies and authorizes the caller, limits, sanitizes, signs, forwards.
 * Longer than most functions, so that the life of a request is read in one place.
 */
export function createEdge(context: Context): Handler {
  const { config, log, metrics, tracing, signer, upstreams } = context
  const table = createEndpointTable()
  const idleTimeoutMs = createIdleTimeout(config)
  const authorize = createAuthorizer(context)
  const checkOrigin = createOriginCheck(config.CORS_ORIGINS, config.PUBLIC_BASE_URL)

  return async (request, response, { requestId, awaitsContinue }) => {
    const startedAt = context.now()
    const path = pathOf(request)
    const address = await context.clientAddressOf(request)
    const reject = (error: unknown) => {
      metrics.count('edge_refusals', { code: error instanceof Problem ? error.code : 'internal_error' })
      if (!response.headersSent && !response.hasHeader('ratelimit'))
        reportInvalidCredentialLimit(context.invalidCredentialLimiter, address, response)
      const problem = withResourceChallenge(error, config.PUBLIC_BASE_URL, path)
      sendProblem(response, problem, {
        base: config.PUBLIC_BASE_URL,
        requestId,
        log,
        format: errorFormatOfRequest(request, path),
      })
    }
    let refused: { subject: Subject; endpointId: string } | undefined
    try {
      const { headers } = request
      const endpoint = table.find(request.method ?? '', path)
      const { definition, service } = endpoint
      const trace = traceRequest(tracing, request, response, definition)
      checkOrigin(definition, headers)
      rejectRepeatedHeaders(request.rawHeaders)
      const onIdentified = (subject: Subject) => {
        refused = { subject, endpointId: definition.id }
      }
      const subject = await authorize({ endpoint, request, response, requestId, clientAddress: address, onIdentified })
      const assertion = await signer.sign(subject, service)
      if (response.destroyed) return // the client has closed the connection
      const traceparent = trace.forward(service)
      sanitizeHeaders(headers, {
        basic: definition.limitClass === 'token',
        ...(surfaceOf(definition) === 'auth' ? { cookies: isNotOfSite } : {}),
      })
      Object.assign(headers, identityHeaders(subject), {
        'x-request-id': requestId,
        traceparent,
        'x-forwarded-for': address,
        [assertionHeader]: assertion,
      })
      response.on('close', () => {
        const labels = { endpoint: definition.id, status: String(response.statusCode) }
        const durationMs = context.now() - startedAt
        metrics.observe('edge_request_seconds', durationMs / 1000, labels, trace.traceparent)
        context.callRecorder.record(subject, service, response.statusCode)
        const outcome = response.statusCode < 500 ? 'answered' : 'failed'
        context.busiestWorkspaces.record(subject.workspaceId, outcome)
        const { statusCode: status } = response
        const answered = { subject, endpointId: definition.id, requestId, status, code: null, startedAt, durationMs }
        context.requestRecorder.record(answered)
      })
      if (awaitsContinue) response.writeContinue()
      context.forward(request, response, {
        target: upstreams.addressOf(service, subject.shard),
        transport: transportFor(definition),
        idleMs: idleTimeoutMs(definition),
        onFailure: reject,
      })
    } catch (error) {
      reject(error)
      if (refused === undefined) return
      const code = error instanceof Problem ? error.code : 'internal_error'
      const durationMs = context.now() - startedAt
      context.requestRecorder.record({
        ...refused,
        requestId,
        status: response.statusCode,
        code,
        startedAt,
        durationMs,
      })
    }
  }
}

const siteCookies: ReadonlySet<string> = new Set(sites.flatMap(({ cookies }) => cookies))

/** Returns true for the name of a cookie that belongs to no site. */
const isNotOfSite = (name: string): boolean => !siteCookies.has(name)

/** Formats other than `problem`, by method and path. Every path of such an endpoint but those of SCIM is literal. */
const errorFormats: ReadonlyMap<string, ErrorFormat> = new Map(
  publicEndpoints
    .map(({ definition }) => [`${definition.method} ${definition.path}`, errorFormatOf(definition)] as const)
    .filter(([, format]) => format !== 'problem'),
)

/** OAuth clients read errors of these paths, whatever the method of the request. */
const oauthPaths: ReadonlySet<string> = new Set(
  publicEndpoints
    .filter(({ definition }) => errorFormatOf(definition) === 'oauth')
    .map(({ definition }) => definition.path),
)

/** Returns the format of the errors of a request, also of those that occur before its endpoint is found. */
export const errorFormatOfRequest = ({ method }: Pick<IncomingMessage, 'method'>, path: string): ErrorFormat =>
  formatsBelow.find(([base]) => path.startsWith(base))?.[1] ??
  errorFormats.get(`${method === 'HEAD' ? 'GET' : method} ${path}`) ??
  (oauthPaths.has(path) ? 'oauth' : 'problem')

/** Clients of these protocols read errors of all paths below their base address. */
const formatsBelow: readonly (readonly [string, ErrorFormat])[] = [
  [`${scimPath}/`, 'scim'],
  [`${openAiPath}/`, 'openai'],
]

/**
 * Returns headers for the logs of services. Services trust the assertion only and reject a request that contradicts it.
 */
function identityHeaders(subject: Subject): Record<string, string> {
  return {
    'x-principal-id': subject.principal.id,
    'x-principal-type': subject.principal.type,
    'x-workspace-shard': subject.shard,
    'x-workspace-location': subject.location,
    ...(subject.workspaceId === null ? {} : { 'x-workspace-id': subject.workspaceId }),
  }
}

/** Returns the path of a request without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'
