import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type EndpointDefinition, needsWorkspace, problem, type RequestMetadata, respondsWithJson } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import type { Subject } from '../../assertions/assertion.ts'
import { header } from '../header.ts'

/**
 * Returns the metadata of a request that its transaction needs: idempotency key, audit target, address and user agent.
 * @throws Problem if the idempotency key is malformed
 */
export function requestMetadataOf(
  definition: EndpointDefinition,
  request: IncomingMessage,
  subject: Subject,
  params: Record<string, string>,
  body: unknown,
): RequestMetadata {
  const { audit } = definition
  const ip = header(request, 'x-forwarded-for')
  const userAgent = header(request, 'user-agent')
  const idempotency = idempotencyOf(definition, request, subject, body)
  return {
    endpointId: definition.id,
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(audit === undefined
      ? {}
      : { audit: { action: audit.action, targetType: audit.target, targetField: audit.field ?? 'id', params } }),
    ...(ip === undefined ? {} : { ip }),
    ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, 500) }),
  }
}

/**
 * Undefined where no response can be replayed: without a principal, and for a stream or file. The fingerprint does not
 * depend on the order of members and parameters, which clients do not keep when they build a request again. That of a
 * streamed body is incomplete; its operation adds the digest (`withBodyDigest`).
 */
function idempotencyOf(
  definition: EndpointDefinition,
  request: IncomingMessage,
  subject: Subject,
  body: unknown,
): RequestMetadata['idempotency'] {
  const key = header(request, 'idempotency-key')
  if (key === undefined || subject.principal.type === 'anonymous') return undefined
  if (!respondsWithJson(definition)) return undefined
  if (definition.method !== 'POST' && definition.method !== 'PATCH') return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw problem('validation_failed', {
      detail: 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces',
    })
  const hashedBody = definition.input === 'stream' ? undefined : body
  const fingerprint = hash('sha256', canonicalJson([request.method, sortedUrl(request.url), hashedBody ?? null]))
  return {
    key,
    fingerprint,
    ...secretFieldsOf(definition),
    ...(needsWorkspace(definition) ? {} : { acrossWorkspaces: true }),
  }
}

/** Returns the path of a request, and its parameters by name. */
function sortedUrl(url = ''): [string, [string, string][]] {
  const [path = '', ...query] = url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  parameters.sort()
  return [path, [...parameters]]
}

function secretFieldsOf({ secret }: EndpointDefinition) {
  if (secret === undefined) return {}
  return { secretIdField: secret.idField, ...(secret.field === undefined ? {} : { secretField: secret.field }) }
}
