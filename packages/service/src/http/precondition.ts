import type { IncomingMessage } from 'node:http'
import { type EndpointDefinition, needsWorkspace, problem, type RequestMetadata } from '@wp/contracts'
import type { Subject } from '../assertions/assertion.ts'
import { etagOf, matchesVersion } from './entity-tag.ts'
import { header } from './request-metadata.ts'
import { buildResponse } from './response.ts'
import { validate } from './validate.ts'

/** An endpoint with the operation that serves it. */
export interface BoundEndpoint {
  definition: EndpointDefinition
  run: (caller: unknown, input: unknown) => Promise<unknown>
}

/** What a PATCH or DELETE changes, and how it is read. */
interface Target {
  reading: BoundEndpoint
  params: Record<string, string>
}

/**
 * What the transaction of a change must hold to: the resource, so that changes of it come one after the other, and what
 * `If-Match` (RFC 9110 section 13.1.1) says of it, compared with what reading it answers then. Without an idempotency
 * key it is compared at once as well; with one, an answer that is kept comes first.
 * @throws Problem `precondition_failed`, or what reading refuses
 */
export async function preconditionMetadataOf(
  definition: EndpointDefinition,
  all: readonly BoundEndpoint[],
  request: IncomingMessage,
  { caller, params, input }: { caller: Subject; params: Record<string, string>; input: unknown },
  isRepeatable: boolean,
): Promise<Pick<RequestMetadata, 'resource' | 'precondition'>> {
  const target = targetOf(definition, all, params, input)
  if (target === undefined) return {}
  const owner = needsWorkspace(definition) ? caller.workspaceId : caller.principal.id
  const resource = `${owner} ${fill(target.reading.definition.path, target.params)}`
  const ifMatch = header(request, 'if-match')
  if (ifMatch === undefined) return { resource }
  const check = () => checkMatch(target, caller, ifMatch)
  if (!isRepeatable) await check()
  return { resource, precondition: { ifMatch, check } }
}

/** The endpoint that reads what a PATCH or DELETE changes: at the same path, or at the one its field completes. */
function targetOf(
  { method, path, resourceIdField }: EndpointDefinition,
  all: readonly BoundEndpoint[],
  params: Record<string, string>,
  input: unknown,
): Target | undefined {
  if (method !== 'PATCH' && method !== 'DELETE') return undefined
  const at = resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`
  const reading = all.find(({ definition: one }) => one.method === 'GET' && one.path === at && one.ok !== undefined)
  if (reading === undefined) return undefined
  return {
    reading,
    params: resourceIdField === undefined ? params : { ...params, [resourceIdField]: namedIn(input, resourceIdField) },
  }
}

function namedIn(input: unknown, name: string): string {
  const { body, query } = input as Record<'body' | 'query', Record<string, unknown> | undefined> // what `validate` answers
  return String(body?.[name] ?? query?.[name])
}

async function checkMatch({ reading, params }: Target, caller: unknown, ifMatch: string): Promise<void> {
  const { definition, run } = reading
  const input = validate(definition, { params, query: new URLSearchParams(), body: undefined })
  const { body } = buildResponse(definition, await run(caller, { ...input, headers: {} }), '', params)
  if (!matchesVersion(ifMatch, etagOf(body, definition), definition)) throw problem('precondition_failed')
}

const fill = (template: string, values: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
