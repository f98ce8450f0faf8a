import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDefinition, Problem, problem, publicEndpoints } from '@wp/contracts'
import { assertionHeader, checkSubject, refuse, type Subject, traceparentOf } from '@wp/service'
import { anonymous, type Context } from './context.ts'
import { createEndpointTable, type Known } from './endpoint-table.ts'
import { carrierOf } from './forward/carrier.ts'
import { createPatience } from './forward/config.ts'
import { cleanHeaders } from './forward/hygiene.ts'
import { createAdmission, withCredential } from './identify/admission.ts'
import { clientAddress } from './identify/client-address.ts'
import { readClaims, refuseRepeated } from './identify/credential.ts'
import type { Known as Identified } from './identify/identities.ts'
import { createStandings } from './identify/workspace.ts'
import { limit, limitGuesses } from './limit/limit.ts'

/** What is known of a request before its way begins. */
interface Arrival {
  requestId: string
  /** The client sends its body only when it is told to (RFC 9110 section 10.1.1). */
  awaitsContinue: boolean
}

type Handler = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => Promise<void>

/** The way of every request: find the endpoint, identify, authorize, limit, clean, sign, forward. */
export function createEdge(context: Context): Handler {
  const { config, log, metrics, signer, upstreams, windows, guesses, denials } = context
  const table = createEndpointTable()
  const patience = createPatience(config)
  const admit = createAdmission(context.identities, createStandings({ shard: config.SHARD, location: config.LOCATION }))

  async function authorize(
    { definition, service }: Known,
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<Subject> {
    if (definition.credentials === 'none') return anonymous(config)
    const { known, kind, standing } = await identify(definition, request, response, address)
    try {
      const kinds: readonly string[] = definition.credentials ?? ['bearer', 'apiKey']
      if (!kinds.includes(kind)) throw problem('bearer_required')
      checkSubject(definition, standing.subject)
    } catch (thrown) {
      const { workspaceId } = standing.subject
      denials.note({ thrown, definition, request, requestId: requestIdFor(response), address, known, workspaceId })
      throw thrown
    }
    limit(windows, known, standing, service, response)
    // only auth deals in credentials; elsewhere it would make an assertion of every token
    return service === 'auth' ? withCredential(standing.subject, known) : standing.subject
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
      known = await context.identities.find(credential)
      const admitted = await admit(known, credential, workspaceKey, definition)
      return { ...admitted, kind: credential.kind }
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_credential') limitGuesses(guesses, address, response)
      const requestId = requestIdFor(response)
      denials.note({ thrown: error, definition, request, requestId, address, known, workspaceId: undefined })
      throw error
    }
  }

  return async (request, response, { requestId, awaitsContinue }) => {
    const started = context.now()
    const path = pathOf(request)
    const refuseWith = (thrown: unknown) => {
      metrics.count('edge_refusals', { code: thrown instanceof Problem ? thrown.code : 'internal_error' })
      refuse(response, thrown, { base: config.PUBLIC_BASE_URL, requestId, log, oauth: speaksOAuth(path) })
    }
    try {
      const { headers } = request
      const known = table.find(request.method ?? '', path)
      const { definition, service } = known
      refuseRepeated(request.rawHeaders)
      const address = clientAddress(request, config.TRUSTED_PROXIES)
      const subject = await authorize(known, request, response, address)
      const assertion = await signer.sign(subject, service)
      if (response.destroyed) return // nobody is left to answer
      const traceparent = traceparentOf(typeof headers.traceparent === 'string' ? headers.traceparent : undefined)
      cleanHeaders(headers, { basic: definition.limitClass === 'token', cookies: service === 'auth' })
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
        target: upstreams.of(service, subject.shard),
        carrier: carrierOf(definition, headers.accept),
        idleMs: patience(definition),
        onFailure: refuseWith,
      })
    } catch (thrown) {
      refuseWith(thrown)
    }
  }
}

const oauthPaths: ReadonlySet<string> = new Set(
  publicEndpoints
    .filter(({ definition }) => definition.limitClass === 'token')
    .map(({ definition }) => definition.path),
)

/** Whether the refusals of a path also speak OAuth, whatever was wrong. */
export const speaksOAuth = (path: string): boolean => oauthPaths.has(path)

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
