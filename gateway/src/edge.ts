import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDefinition, Problem, problem } from '@wp/contracts'
import { assertionHeader, checkSubject, refuse, requestIdOf, type Subject, traceparentOf } from '@wp/service'
import { anonymous, type Context } from './context.ts'
import { createEndpointTable, type Known } from './endpoint-table.ts'
import { cleanHeaders } from './forward/hygiene.ts'
import { createProxy } from './forward/proxy.ts'
import { clientAddress } from './identify/client-address.ts'
import { type Presented, readClaims } from './identify/credential.ts'
import { createStandings } from './identify/workspace.ts'
import { limit, tooMany } from './limit/limit.ts'
import { windowSeconds } from './limit/windows.ts'

/** Credentials that never were valid, from one address, a minute; a valid one is never refused for it. */
const wrongCredentialsAnAddress = 100

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The way of every request: find the endpoint, identify, authorize, limit, clean, sign, forward. */
export function createEdge(context: Context): Handler {
  const { config, log, metrics, signer, upstreams, windows } = context
  const table = createEndpointTable()
  const refuseWith = (thrown: unknown, response: ServerResponse, requestId: string, oauth: boolean) =>
    refuse(response, thrown, { base: config.PUBLIC_BASE_URL, requestId, log, oauth })
  const proxy = createProxy(context.agent, (failure, request, response) =>
    refuseWith(failure, response, String(request.headers['x-request-id']), false),
  )
  const standings = createStandings({ shard: config.SHARD, location: config.LOCATION })

  async function authorize(
    { definition, service }: Known,
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<Subject> {
    if (definition.credentials === 'none') return anonymous(config)
    const { credential, workspaceKey } = readClaims(request)
    if (credential === undefined) throw problem('missing_credential')
    const known = await identify(credential, address)
    const kinds: readonly string[] = definition.credentials ?? ['bearer', 'apiKey']
    const standing = standings.of(known, workspaceKey, definition)
    if (!kinds.includes(credential.kind)) throw problem('bearer_required')
    checkSubject(definition, standing.subject)
    limit(windows, known, standing, service, response)
    // only auth tells a caller when its credential ends; elsewhere it would make an assertion of every token
    return service === 'auth' && Number.isFinite(known.expiresAt)
      ? { ...standing.subject, credentialExpiresAt: new Date(known.expiresAt).toISOString() }
      : standing.subject
  }

  async function identify(credential: Presented, address: string) {
    const guesses = { name: 'address', key: address, quota: wrongCredentialsAnAddress }
    try {
      return await context.identities.find(credential)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_credential') throw error
      if (windows.isUsedUp(guesses)) throw tooMany([{ name: 'address', resetSeconds: windowSeconds }])
      windows.note(guesses)
      throw error
    }
  }

  return async (request, response) => {
    const started = context.now()
    const requestId = requestIdOf(single(request.headers['x-request-id']))
    const traceparent = traceparentOf(single(request.headers.traceparent))
    response.setHeader('x-request-id', requestId)
    if (config.PUBLIC_BASE_URL.startsWith('https:'))
      response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains')
    response.setHeader('x-content-type-options', 'nosniff')
    let definition: EndpointDefinition | undefined
    try {
      const known = table.find(request.method ?? '', pathOf(request))
      definition = known.definition
      const address = clientAddress(request, config.TRUSTED_PROXIES)
      const subject = await authorize(known, request, response, address)
      const { headers } = request
      cleanHeaders(headers, { basic: definition.limitClass === 'token', cookies: known.service === 'auth' })
      Object.assign(headers, identityHeaders(subject), {
        'x-request-id': requestId,
        traceparent,
        'x-forwarded-for': address,
      })
      headers[assertionHeader] = await signer.sign(subject, known.service)
      response.once('close', () => {
        const labels = { endpoint: known.definition.id, status: String(response.statusCode) }
        metrics.observe('edge_request_seconds', (context.now() - started) / 1000, labels)
      })
      await proxy.forward(
        request,
        response,
        upstreams.of(known.service, subject.shard),
        timeoutOf(known.definition, context),
      )
    } catch (thrown) {
      metrics.count('edge_refusals', { code: thrown instanceof Problem ? thrown.code : 'internal_error' })
      refuseWith(thrown, response, requestId, definition?.limitClass === 'token')
    }
  }
}

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

const timeoutOf = ({ limitClass }: EndpointDefinition, { config }: Context): number =>
  1000 * (limitClass === 'upload' ? config.UPLOAD_TIMEOUT_SECONDS : config.UPSTREAM_TIMEOUT_SECONDS)

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'

const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
