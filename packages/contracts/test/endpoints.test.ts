import { describe, expect, it } from '@jest/globals'
import {
  acceptedCredentials,
  type EndpointDefinition,
  endpoints,
  needsWorkspace,
  publicEndpoints,
  scopes,
  serviceNames,
  signerNames,
  surfaces,
} from '../src/index.ts'
import { all, braces, breaking, idsOf, published } from './fixture/endpoints.ts'

const internal = endpoints.filter(({ definition }) => definition.audience === 'internal')

describe('names', () => {
  it('say the surface and the key, each once', () => {
    const expected = Object.entries(surfaces).flatMap(([service, surface]) =>
      Object.keys(surface).map((key) => `${service}.${key}`),
    )
    expect(idsOf(all)).toEqual(expected)
    expect(new Set(expected).size).toBe(expected.length)
  })

  it('say a service that exists, and every service serves something', () => {
    expect([...new Set(endpoints.map(({ service }) => service))].sort()).toEqual([...serviceNames].sort())
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
      ({ surface, definition: { path } }) => !path.startsWith(`/v1/${surface}/`) && !path.startsWith('/.well-known/'),
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
    // a search only asks, in a body
    expect(breaking(changes, ({ scope }) => scope?.endsWith(':read') !== true)).toEqual(['data.searchRecords'])
  })

  it('are needed wherever a workspace is', () => {
    expect(breaking(all.filter(needsWorkspace), ({ scope }) => scope !== undefined)).toEqual([])
  })

  it('are asked of everybody but on these open endpoints', () => {
    expect(idsOf(all.filter(({ credentials }) => credentials === 'none'))).toEqual([
      'auth.exchangeToken',
      'auth.keySet',
      'auth.serverMetadata',
      'auth.revokeToken',
      'auth.login',
      'auth.verify',
      'auth.showLoginLink',
      'auth.openLoginLink',
      'auth.loginWithGoogle',
      'auth.googleCallback',
      'auth.loginWithGithub',
      'auth.githubCallback',
      'auth.acceptInvitationPage',
      'auth.acceptInvitation',
      'auth.confirmInvitation',
      'system.health',
      'data.health',
    ])
  })

  it('are a bearer token’s alone for keys, service principals, sessions and the secret of a webhook', () => {
    const needBearer = published.filter((definition) => acceptedCredentials(definition).join() === 'bearer')
    const secrets =
      /^\/v1\/(auth\/(api-key|admin\/service-principals|sessions|logout)|webhooks\/webhooks\/.+(\/|-)secret$)/
    expect(idsOf(needBearer)).toEqual(idsOf(published.filter(({ path }) => secrets.test(path))))
  })

  it('are needed without a workspace by who somebody is and which workspaces they have', () => {
    const free = published.filter((one) => one.credentials !== 'none' && !needsWorkspace(one))
    expect(idsOf(free)).toEqual([
      'auth.me',
      'auth.updateMe',
      'auth.logout',
      'auth.listSessions',
      'auth.endSession',
      'system.listWorkspaces',
      'system.createWorkspace',
    ])
  })

  it('without a caller are for services only, inside', () => {
    const systemCalls = all.filter(({ allowsSystemCalls }) => allowsSystemCalls === true)
    expect(breaking(systemCalls, ({ audience }) => audience === 'internal')).toEqual([])
  })
})
