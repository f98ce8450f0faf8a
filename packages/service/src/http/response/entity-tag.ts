import { createHash } from 'node:crypto'
import type { EndpointDefinition } from '@wp/contracts'

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
