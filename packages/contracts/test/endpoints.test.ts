import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  acceptedCredentials,
  type EndpointDefinition,
  endpoints,
  errors,
  needsWorkspace,
  outcomesOf,
  publicEndpoints,
  scopes,
  serviceNames,
  signerNames,
  surfaces,
} from '../src/index.ts'

const all = endpoints.map(({ definition }) => definition)
const published = publicEndpoints.map(({ definition }) => definition)
const internal = endpoints.filter(({ definition }) => definition.audience === 'internal')
const idsOf = (definitions: readonly EndpointDefinition[]) => definitions.map(({ id }) => id)
const braces = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
/** Ids of endpoints that break a rule; a rule that holds gives an empty list. */
const breaking = (of: readonly EndpointDefinition[], holds: (definition: EndpointDefinition) => boolean) =>
  idsOf(of.filter((definition) => !holds(definition)))

describe('names', () => {
  it('say the surface and the key, each once', () => {
    const expected = Object.entries(surfaces).flatMap(([service, surface]) =>
      Object.keys(surface).map((key) => `${service}.${key}`),
    )
    expect(idsOf(all)).toEqual(expected)
    expect(new Set(expected).size).toBe(expected.length)
  })

  it('have a surface for every service', () => {
    expect(Object.keys(surfaces).sort()).toEqual([...serviceNames].sort())
  })
})

describe('paths', () => {
  it('are unique for a method, whatever their parameters are called', () => {
    const routes = all.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })

  it('declare their parameters, and nothing else as one', () => {
    const declares = ({ path, params }: EndpointDefinition) =>
      JSON.stringify(braces(path).sort()) === JSON.stringify(Object.keys(params?.shape ?? {}).sort())
    expect(breaking(all, declares)).toEqual([])
  })

  it('stand under the prefix of their surface, or are well known', () => {
    const wrong = publicEndpoints.filter(
      ({ service, definition: { path } }) => !path.startsWith(`/v1/${service}/`) && !path.startsWith('/.well-known/'),
    )
    expect(wrong).toEqual([])
  })

  it('are internal under /internal/<service>, callable by somebody, and by others than themselves', () => {
    for (const { service, definition } of internal) {
      expect(definition.path).toMatch(new RegExp(`^/internal/${service}/`))
      expect(definition.callers?.length).toBeGreaterThan(0)
      expect(definition.callers).not.toContain(service)
    }
    expect(internal.length).toBeGreaterThan(0)
  })

  it('name callers that exist', () => {
    expect(breaking(all, ({ callers = [] }) => callers.every((caller) => signerNames.includes(caller)))).toEqual([])
  })
})

describe('permissions', () => {
  it('are known scopes', () => {
    expect(breaking(all, ({ scope }) => scope === undefined || scopes.includes(scope))).toEqual([])
  })

  it('are never a right to read, where something is changed', () => {
    const changes = all.filter(({ method }) => method !== 'GET')
    expect(breaking(changes, ({ scope }) => scope?.endsWith(':read') !== true)).toEqual([])
  })

  it('are needed wherever a workspace is', () => {
    expect(breaking(all.filter(needsWorkspace), ({ scope }) => scope !== undefined)).toEqual([])
  })

  it('are asked of everybody but on these open endpoints', () => {
    expect(idsOf(all.filter(({ credentials }) => credentials === 'none'))).toEqual([
      'auth.exchangeToken',
      'auth.keySet',
      'auth.serverMetadata',
      'system.health',
      'data.health',
    ])
  })

  it('are a bearer token’s alone for keys, service principals and the secret of a webhook', () => {
    const needBearer = published.filter((definition) => acceptedCredentials(definition).join() === 'bearer')
    const secrets = /^\/v1\/(auth\/(api-key|admin\/service-principals)|webhooks\/webhooks\/.+(\/|-)secret$)/
    expect(idsOf(needBearer)).toEqual(idsOf(published.filter(({ path }) => secrets.test(path))))
  })

  it('are needed without a workspace by who somebody is and which workspaces they have', () => {
    const free = published.filter((one) => one.credentials !== 'none' && !needsWorkspace(one))
    expect(idsOf(free)).toEqual(['auth.me', 'auth.updateMe', 'system.listWorkspaces', 'system.createWorkspace'])
  })

  it('without a caller are for services only, inside', () => {
    const systemCalls = all.filter(({ system }) => system === true)
    expect(breaking(systemCalls, ({ audience }) => audience === 'internal')).toEqual([])
  })
})

describe('answers', () => {
  it('are one kind of success: a list, a deletion, something bare, or statuses in the envelope', () => {
    const kinds = (one: EndpointDefinition) =>
      [one.list, one.deleted, one.bare].filter((kind) => kind !== undefined).length +
      (outcomesOf(one).length > 0 ? 1 : 0)
    expect(breaking(all, (one) => kinds(one) === 1)).toEqual([])
  })

  it('are a list with limit and cursor wherever there is a list', () => {
    const lists = all.filter(({ list }) => list !== undefined)
    expect(breaking(lists, ({ query, method }) => method === 'GET' && isPaged(query))).toEqual([])
  })

  it('name the address of what was made or begun, which an endpoint answers', () => {
    const making = published.filter(({ created, accepted }) => (created ?? accepted) !== undefined)
    const readable = new Set(published.filter(({ method }) => method === 'GET').map(({ path }) => path))
    expect(breaking(making, ({ location = '' }) => readable.has(location))).toEqual([])
    const fields = (one: EndpointDefinition) => {
      const view = one.created ?? one.accepted
      const shown = view instanceof z.ZodObject ? Object.keys(view.shape) : []
      return [...shown, ...braces(one.path)]
    }
    expect(breaking(making, (one) => braces(one.location ?? '').every((name) => fields(one).includes(name)))).toEqual(
      [],
    )
    expect(making.length).toBeGreaterThan(5)
  })

  it('name the field that identifies a secret’s owner', () => {
    const secret = published.filter((one) => one.secret !== undefined)
    const shows = (one: EndpointDefinition) => {
      const view = one.ok ?? one.created
      return view instanceof z.ZodObject && Object.hasOwn(view.shape, one.secret?.id ?? '')
    }
    expect(breaking(secret, shows)).toEqual([])
    // an answer that shows a secret says so, so that it is neither cached nor kept
    const showing = published.filter((one) => {
      const view = one.ok ?? one.created
      return view instanceof z.ZodObject && ['secret', 'client_secret', 'api_key'].some((name) => name in view.shape)
    })
    const isText = (one: EndpointDefinition) => one.id !== 'system.putVariable' && one.id !== 'system.getVariable'
    expect(breaking(showing.filter(isText), (one) => one.secret !== undefined)).toEqual([])
  })

  it('know the errors they name, each once', () => {
    expect(breaking(all, ({ errors: codes = [] }) => codes.every((code) => code in errors))).toEqual([])
    expect(breaking(all, ({ errors: codes = [] }) => new Set(codes).size === codes.length)).toEqual([])
  })
})

describe('input', () => {
  it('is refused where a field is not known, but where OAuth says to ignore it', () => {
    const bodies = all.filter(({ body }) => body !== undefined)
    const refuses = ({ body }: EndpointDefinition) =>
      body?.safeParse({ not_a_field: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys') === true
    expect(breaking(bodies, refuses)).toEqual(['auth.exchangeToken', 'auth.resolve'])
    const queries = all.filter(({ query }) => query !== undefined)
    const refusesQuery = ({ query }: EndpointDefinition) =>
      query?.safeParse({ not_a_field: '1' }).error?.issues.some(({ code }) => code === 'unrecognized_keys') === true
    expect(breaking(queries, refusesQuery)).toEqual([])
  })

  it('is a stream only with its content types, and goes nowhere with a GET or DELETE', () => {
    const streams = all.filter(({ input }) => input === 'stream')
    expect(breaking(streams, ({ contentTypes = [], body }) => contentTypes.length > 0 && body === undefined)).toEqual(
      [],
    )
    const bodiless = all.filter(({ method }) => method === 'GET' || method === 'DELETE')
    expect(breaking(bodiless, ({ body, input }) => body === undefined && input === undefined)).toEqual([])
  })
})

describe('the audit log', () => {
  /** What changes nothing, or is audited by the service that makes the change. */
  const unaudited: Record<string, string> = {
    'auth.exchangeToken': 'gives a token for a credential; nothing of a workspace changes',
    'auth.resolve': 'reads: who is asked about travels in the body',
    'system.createWorkspace': 'auth makes the change, and audits auth.createWorkspace',
    'system.updateWorkspace': 'auth makes the change, and audits auth.updateWorkspace',
  }

  it('hears of every change', () => {
    const changes = all.filter(({ method }) => method !== 'GET')
    expect(breaking(changes, ({ audit }) => audit !== undefined)).toEqual(Object.keys(unaudited))
  })

  it('is told what was changed by a field of the answer or the path', () => {
    const audited = all.filter(({ audit }) => audit !== undefined)
    const finds = ({ audit, path, deleted, ...one }: EndpointDefinition) => {
      const field = audit?.field ?? 'id'
      const views = [one.ok, one.created, one.accepted]
      const shown = views.every((view) => view === undefined || (view instanceof z.ZodObject && field in view.shape))
      return braces(path).includes(field) || deleted === field || shown
    }
    expect(breaking(audited, finds)).toEqual([])
  })

  it('reads actions as thing and deed', () => {
    const audited = all.filter(({ audit }) => audit !== undefined)
    expect(breaking(audited, ({ audit }) => /^[a-z_]+\.[a-z_]+$/.test(audit?.action ?? ''))).toEqual([])
  })
})

/** Whether a query takes 1 to 100 items, 25 when nothing is said, and a cursor. */
function isPaged(query: z.ZodObject | undefined): boolean {
  const read = (input: unknown) => query?.safeParse(input)
  return (
    read({})?.data?.limit === 25 &&
    read({ limit: '100', cursor: 'x' })?.success === true &&
    read({ limit: '0' })?.success === false &&
    read({ limit: '101' })?.success === false
  )
}
