import type { IncomingMessage } from 'node:http'
import { type EndpointDefinition, needsWorkspace, problem, type RequestMetadata } from '@wp/contracts'
import type { Subject } from '../../assertions/assertion.ts'
import { type BoundEndpoint, fillPath } from '../bound-surface.ts'
import { header } from '../header.ts'
import { etagOf, matchesVersion } from '../response/entity-tag.ts'
import { buildJsonResponse } from '../response/json-response.ts'
import { validate } from './validate.ts'

/** The resource a PATCH or DELETE changes: the endpoint that reads it, and the parameters of its path. */
interface Target {
  reader: BoundEndpoint
  params: Record<string, string>
}

/**
 * Returns the metadata by which the transaction of a change is serialized and checked: the resource, so that changes of
 * it run one after the other, and the precondition of `If-Match` (RFC 9110 section 13.1.1), which compares the tag with
 * that of the resource as it is in the transaction. Without an idempotency key the precondition is also checked here;
 * with one, a stored response takes precedence.
 * @throws Problem `precondition_failed`, or the error of reading the resource
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
  const resource = `${owner} ${fillPath(target.reader.definition.path, target.params)}`
  const ifMatch = header(request, 'if-match')
  if (ifMatch === undefined) return { resource }
  const check = () => checkMatch(target, caller, ifMatch)
  if (!isRepeatable) await check()
  return { resource, precondition: { ifMatch, check } }
}

/** Finds the endpoint that reads the resource: at the same path, or at the path that `resourceIdField` completes. */
function targetOf(
  { method, path, resourceIdField }: EndpointDefinition,
  all: readonly BoundEndpoint[],
  params: Record<string, string>,
  input: unknown,
): Target | undefined {
  if (method !== 'PATCH' && method !== 'DELETE') return undefined
  const readPath = resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`
  const reader = all.find(
    ({ definition }) => definition.method === 'GET' && definition.path === readPath && definition.ok !== undefined,
  )
  if (reader === undefined) return undefined
  if (resourceIdField === undefined) return { reader, params }
  return { reader, params: { ...params, [resourceIdField]: inputField(input, resourceIdField) } }
}

function inputField(input: unknown, name: string): string {
  const { body, query } = input as Record<'body' | 'query', Record<string, unknown> | undefined> // the result of `validate`
  return String(body?.[name] ?? query?.[name])
}

async function checkMatch({ reader, params }: Target, caller: unknown, ifMatch: string): Promise<void> {
  const { definition, run } = reader
  const input = validate(definition, { params, query: '', body: undefined })
  const { body } = buildJsonResponse(definition, await run(caller, { ...input, headers: {} }), '', params)
  if (!matchesVersion(ifMatch, etagOf(body, definition), definition)) throw problem('precondition_failed')
}
