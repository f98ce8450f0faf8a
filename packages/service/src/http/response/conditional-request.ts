import type { IncomingMessage } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import { header } from '../header.ts'
import { etagOf, matchesTag } from './entity-tag.ts'
import type { HttpResponse } from './send-response.ts'

/**
 * Adds the entity tag of a resource to its response, and turns the response into 304 if `If-None-Match` names the tag.
 */
export function applyConditions(
  definition: EndpointDefinition,
  request: IncomingMessage,
  response: HttpResponse,
): HttpResponse {
  const tagged = withEntityTag(definition, response)
  const { etag } = tagged.headers
  const condition = header(request, 'if-none-match')
  if (definition.method !== 'GET' || condition === undefined || typeof etag !== 'string') return tagged
  return matchesTag(withoutWeakness(condition), etag) ? notModified(tagged) : tagged
}

/** Only a single resource without a secret has a tag; a file has the one its operation gave it. */
function withEntityTag(definition: EndpointDefinition, response: HttpResponse): HttpResponse {
  const { ok, secret, method } = definition
  const isResource = ok !== undefined && secret === undefined && method !== 'POST' && response.status === 200
  if (!isResource || typeof response.body !== 'string') return response
  return { ...response, headers: { ...response.headers, etag: etagOf(response.body, definition) } }
}

function notModified({ headers }: HttpResponse): HttpResponse {
  const { 'content-length': _length, ...rest } = headers
  return { status: 304, headers: rest, body: '' }
}

/** `If-None-Match` compares weakly (RFC 9110 section 13.1.2): a proxy that compresses responses weakens their tags. */
const withoutWeakness = (field: string) => field.replaceAll('W/"', '"')
