import { type EndpointDefinition, publicEndpoints } from '@wp/contracts'
import type { EdgeRequestOptions, TestResponse } from '@wp/testkit'
import { type Fixture, fixtures, type Made } from './fixtures.ts'
import type { World } from './world.ts'

/** Every public endpoint, and those that need a credential. */
export const definitions: readonly EndpointDefinition[] = publicEndpoints.map(({ definition }) => definition)
export const closed = definitions.filter(({ credentials }) => credentials !== 'none')

/** How an endpoint is called. */
export const fixtureOf = (definition: EndpointDefinition): Fixture => fixtures[definition.id] ?? {}

/** Endpoints as `it.each` takes them. */
export const table = (chosen: readonly EndpointDefinition[]) =>
  chosen.map((definition) => [definition.id, definition] as const)

/** Whether only users may, so that machines cannot show it. */
export const isForUsers = ({ principals }: EndpointDefinition): boolean => principals?.includes('user') === true

/** A request that can be sent again and again. */
export interface Call {
  path: string
  request: EdgeRequestOptions
  send(headers?: Record<string, string>, body?: unknown): Promise<TestResponse>
}

/** What the tests over all endpoints ask of the world. */
export function callsOf(world: World) {
  const paramsOf = async (definition: EndpointDefinition) => (await fixtureOf(definition).params?.(world)) ?? {}

  /** Who succeeds: a user where only users may, otherwise the service principal. */
  const ownerOf = async (definition: EndpointDefinition) =>
    (await fixtureOf(definition).as?.(world)) ?? (isForUsers(definition) ? world.ownerUser : world.owner)

  async function prepare(
    definition: EndpointDefinition,
    as: string | undefined,
    params: Record<string, string> = {},
  ): Promise<Call> {
    const { request = {}, make } = fixtureOf(definition)
    const { query, ...made }: Made = make === undefined ? request : await make(world)
    const bare = fill(definition.path, params)
    const path = query === undefined ? bare : `${bare}?${query}`
    const whole = { ...made, ...(as === undefined ? {} : { as }) }
    const send = (headers: Record<string, string> = {}, body: unknown = whole.body) =>
      world.fleet.request(definition.method, path, {
        ...whole,
        ...(body === undefined ? {} : { body }),
        headers: { ...whole.headers, ...headers },
      })
    return { path, request: whole, send }
  }

  return {
    paramsOf,
    ownerOf,
    prepare,
    /** A request by which the owner succeeds, once prepared. */
    owned: async (definition: EndpointDefinition): Promise<Call> =>
      await prepare(definition, await ownerOf(definition), await paramsOf(definition)),
  }
}

const fill = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'none')
