import type { EndpointDefinition } from '@wp/contracts'
import type { AccessRequest, TestResponse } from '@wp/testkit'
import { fixtureOf } from '../../access/access-fixtures.ts'
import type { ApiDocument } from '../../access/api-document.ts'
import { isForUsers } from '../../access/endpoint-calls.ts'
import type { Actor, ActorName } from './actors.ts'
import { isWholeResource, type KnownResource, type Model } from './model.ts'

/** The running platform, and what is expected of each of its responses. */
export interface Platform {
  actors: Readonly<Record<ActorName, Actor>>
  document: ApiDocument
  /** The requests and their statuses so far, for the message of a failure. */
  log: string[]
  /** The number of responses by status. */
  statuses: Map<number, number>
}

/** One request of a sequence. */
export interface Call {
  definition: EndpointDefinition
  actor: ActorName
  /** The resource that the path names. */
  target?: KnownResource
  /** Replaces the body of the fixture. */
  body?: { value: unknown }
}

/**
 * Sends a request and checks its response: no server error, nothing undeclared, nothing of the other workspace, and no
 * deleted resource.
 * @throws Error with the requests so far
 */
export async function call(model: Model, platform: Platform, step: Call): Promise<void> {
  const { definition, actor: name, target } = step
  const actor = platform.actors[name]
  const request = await buildRequest(actor, step)
  const path = fillPath(definition.path, target?.params ?? {})
  const response = await actor.context.fleet.request(
    definition.method,
    request.query === undefined ? path : `${path}?${request.query}`,
    request,
  )
  const line = `${name}: ${definition.id} ${path} ${JSON.stringify(request.body) ?? ''} -> ${response.status}`
  platform.log.push(line)
  platform.statuses.set(response.status, (platform.statuses.get(response.status) ?? 0) + 1)
  const problems = [
    // 501 is the declared refusal of a part of a protocol.
    ...(response.status >= 500 && response.status !== 501 ? ['it is a server error'] : []),
    ...platform.document.compareResponse(definition, response),
    ...findForeignData(model, platform, step, `${path} ${JSON.stringify(request)}`, response),
    ...findMissingRefusals(step, response),
  ]
  if (problems.length > 0) throw new Error(describe(platform, problems, response))
  if (
    definition.deleted !== undefined &&
    isWholeResource(definition) &&
    target !== undefined &&
    response.status === 200
  )
    target.isDeleted = true
}

async function buildRequest({ context, mark }: Actor, { definition, body }: Call): Promise<AccessRequest> {
  const { request = {}, buildRequest: build, credential } = fixtureOf(definition)
  const built: AccessRequest = build === undefined ? request : await build(context)
  const as = (await credential?.(context)) ?? (isForUsers(definition) ? context.owner.user : context.owner.principal)
  if (body === undefined)
    return { ...built, as, ...(built.body === undefined ? {} : { body: withMark(built.body, mark) }) }
  return { as, body: body.value, ...(built.query === undefined ? {} : { query: built.query }) }
}

/** Marks the name in a body, so that it is recognized in responses. */
const withMark = (body: unknown, mark: string): unknown =>
  typeof body === 'object' &&
  body !== null &&
  'name' in body &&
  typeof body.name === 'string' &&
  / |^[a-z]/.test(body.name)
    ? { ...body, name: `${mark} ${body.name}` }
    : body

/** Returns a line if the response contains names or ids of the other workspace that the request did not. */
export function findForeignData(
  { resources }: Model,
  { actors }: Platform,
  { actor }: Call,
  sent: string,
  { body }: TestResponse,
): string[] {
  const other = actors[actor === 'A' ? 'B' : 'A']
  const received = (JSON.stringify(body) ?? '').toLowerCase()
  const ids = [...resources.values()].flatMap((family) =>
    family.flatMap(({ owner, params }) => (owner === other.name ? Object.values(params) : [])),
  )
  const foreign = [other.mark, other.context.fleet.owner.workspaceId, ...ids.filter((id) => id.length > 20)]
  return foreign
    .filter((text) => received.includes(text.toLowerCase()) && !sent.includes(text))
    .map((text) => `it contains ${text} of the other workspace`)
}

/** Returns a line if a request succeeded that must not: for a foreign resource, or for a deleted one. */
export function findMissingRefusals({ definition, actor, target }: Call, { status }: TestResponse): string[] {
  if (target === undefined || status >= 400) return []
  if (target.owner !== actor) return ['it succeeded for a resource of the other workspace']
  const isRead = definition.method === 'GET' && isWholeResource(definition)
  return target.isDeleted && isRead ? ['it returned a deleted resource'] : []
}

const shownRequests = 25
const shownText = 1_500

function describe({ log }: Platform, problems: readonly string[], { body }: TestResponse): string {
  const text = JSON.stringify(body).slice(0, shownText)
  return [...problems, `the response: ${text}`, 'the requests:', ...log.slice(-shownRequests)].join('\n')
}

const fillPath = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'))
