import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import { header } from '../header.ts'
import type { HttpResponse } from './send-response.ts'

type Tagged = Pick<EndpointDefinition, 'volatile'>

/**
 * Returns a strong entity tag (RFC 9110 section 8.8.3) of a representation: it differs whenever the representation
 * does. If the endpoint declares volatile fields the tag has two parts, and the first leaves these fields out.
 */
export function etagOf(body: string, { volatile }: Tagged = {}): string {
  return volatile === undefined ? `"${digest(body)}"` : `"${digest(without(volatile, body))}.${digest(body)}"`
}

function without(volatile: readonly string[], body: string): string {
  const { data }: { data: Record<string, unknown> } = JSON.parse(body) // the envelope of every single resource
  return JSON.stringify(Object.entries(data).filter(([field]) => !volatile.includes(field)))
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 27)

/** Returns true if an `If-Match` or `If-None-Match` field names the tag. A weak tag never matches. */
export const matchesTag = (field: string, tag: string): boolean =>
  field.trim() === '*' || tagsOf(field).some((named) => named === tag)

/**
 * Returns true if an `If-Match` field names a tag of the same version of the resource: volatile fields are ignored, or
 * a resource that is in use (an API key with its last use, for example) could not be changed.
 */
export function matchesVersion(field: string, tag: string, { volatile }: Tagged = {}): boolean {
  if (volatile === undefined) return matchesTag(field, tag)
  return field.trim() === '*' || tagsOf(field).some((named) => versionOf(named) === versionOf(tag))
}

const tagsOf = (field: string): string[] => field.split(',').map((part) => part.trim())

const versionOf = (tag: string): string => tag.split('.', 1)[0] ?? ''

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
