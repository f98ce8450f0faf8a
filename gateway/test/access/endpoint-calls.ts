import { acceptedCredentials, type EndpointDefinition, publicEndpoints } from '@wp/contracts'
import type { AccessContext, AccessRequest, EdgeRequestOptions, TestResponse } from '@wp/testkit'
import { fixtureOf } from './access-fixtures.ts'

/** Every public endpoint. */
export const definitions: readonly EndpointDefinition[] = publicEndpoints.map(({ definition }) => definition)

/** The public endpoints that require a credential. */
export const authenticated = definitions.filter(({ credentials }) => credentials !== 'none')

/** Rows for `it.each`: the endpoint's id and its definition. */
export const rowsOf = (chosen: readonly EndpointDefinition[]) =>
  chosen.map((definition) => [definition.id, definition] as const)

/** Returns true if the endpoint accepts users only. */
export const isForUsers = ({ principals }: EndpointDefinition): boolean => principals?.includes('user') === true

export const acceptsApiKey = (definition: EndpointDefinition): boolean =>
  acceptedCredentials(definition).includes('apiKey') && definition.principals === undefined

/** A request that can be sent several times. */
export interface EndpointCall {
  path: string
  request: EdgeRequestOptions
  send(headers?: Record<string, string>, body?: unknown): Promise<TestResponse>
}

/** Prepares requests to any endpoint from its access fixture. */
export function createEndpointCalls(context: AccessContext) {
  /** Creates the resource of the path. @param as the credential that will use it, to which a personal one belongs */
  async function paramsOf(definition: EndpointDefinition, as?: string): Promise<Record<string, string>> {
    const { params, isPersonal } = fixtureOf(definition)
    const creator = isPersonal === true && as !== undefined ? context.actingAs(as) : context
    return (await params?.(creator)) ?? {}
  }

  /** The credential that succeeds: a user's where only users are accepted, otherwise the service principal's. */
  const ownerCredential = async (definition: EndpointDefinition) =>
    (await fixtureOf(definition).credential?.(context)) ??
    (isForUsers(definition) ? context.owner.user : context.owner.principal)

  /** Builds the request of the fixture, and creates what it names. */
  async function requestOf(definition: EndpointDefinition): Promise<AccessRequest> {
    const { request = {}, buildRequest } = fixtureOf(definition)
    return (await buildRequest?.(context)) ?? request
  }

  /** @param built the request, if several tests send it. Default: a new one */
  async function prepare(
    definition: EndpointDefinition,
    as: string | undefined,
    params: Record<string, string> = {},
    built?: AccessRequest,
  ): Promise<EndpointCall> {
    const { query, ...options } = built ?? (await requestOf(definition))
    const filled = fillPath(definition.path, params)
    const path = query === undefined ? filled : `${filled}?${query}`
    const complete = { ...options, ...(as === undefined ? {} : { as }) }
    const send = (headers: Record<string, string> = {}, body: unknown = complete.body) =>
      context.fleet.request(definition.method, path, {
        ...complete,
        ...(body === undefined ? {} : { body }),
        headers: { ...complete.headers, ...headers },
      })
    return { path, request: complete, send }
  }

  return {
    paramsOf,
    requestOf,
    ownerCredential,
    prepare,
    /** Sends a request without parameters and body, which are not read of one that its credential does not allow. */
    sendBare: (definition: EndpointDefinition, as?: string): Promise<TestResponse> =>
      context.fleet.request(definition.method, fillPath(definition.path, {}), as === undefined ? {} : { as }),
    /** Prepares a request that succeeds for the owner. */
    prepareOwned: async (definition: EndpointDefinition): Promise<EndpointCall> =>
      await prepare(definition, await ownerCredential(definition), await paramsOf(definition)),
  }
}

const fillPath = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'none')
