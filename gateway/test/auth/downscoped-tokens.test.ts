import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type EndpointDefinition, needsWorkspace, publicEndpoints } from '@wp/contracts'
import { startTestFleet, type TestFleet } from '@wp/testkit'

let fleet: TestFleet
let narrow: string
let inWorkspace: string
let unrestricted: string
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'system'] })
  const refresh = async (restriction: { scope?: string; workspace_id?: string }) => {
    const { refresh_token } = await fleet.signIn(fleet.owner.ownerId)
    const { body } = await fleet.request('POST', '/v1/auth/token', { body: { refresh_token, ...restriction } })
    return String(body.data.access_token)
  }
  await fleet.request('POST', '/v1/system/workspaces', { as: await refresh({}), body: { name: 'another' } })
  narrow = await refresh({ scope: 'data:read' })
  inWorkspace = await refresh({ workspace_id: fleet.owner.workspaceId })
  unrestricted = await refresh({})
})
afterAll(() => fleet.stop())

/** The requests a signed-in user may make without naming a scope or a workspace. */
const ownEndpoints = publicEndpoints
  .map(({ definition }): EndpointDefinition => definition)
  .filter(
    (definition) => definition.credentials !== 'none' && definition.scope === undefined && !needsWorkspace(definition),
  )
const restricted = { status: 403, body: { code: 'insufficient_scope' } }
const send = ({ method, path }: EndpointDefinition, as: string) =>
  fleet.request(method, path.replace(/\{\w+\}/g, 'none'), { as, ...(method === 'GET' ? {} : { body: {} }) })

const readable = ['auth.me', 'auth.logout']

describe('a token restricted to a workspace', () => {
  it('reads the own profile, which names no other workspace', async () => {
    const { body } = await fleet.request('GET', '/v1/auth/me', { as: inWorkspace })
    expect(body.data.workspaces).toMatchObject([{ workspace_id: fleet.owner.workspaceId }])
    const { body: whole } = await fleet.request('GET', '/v1/auth/me', { as: unrestricted })
    expect(whole.data.workspaces.length).toBeGreaterThan(1)
  })

  it('may do in its workspace what the user may', async () => {
    const { status } = await fleet.request('GET', '/v1/system/workspace/variables', { as: inWorkspace })
    expect(status).toBe(200)
  })
})

describe('a token restricted to some scopes', () => {
  it.each(ownEndpoints.filter(({ id }) => !readable.includes(id)).map((one) => [one.id, one] as const))(
    'or to a workspace is rejected at %s, which the restriction does not cover',
    async (_, definition) => {
      for (const token of [narrow, inWorkspace]) expect(await send(definition, token)).toMatchObject(restricted)
      expect((await send(definition, unrestricted)).body.code).not.toBe('insufficient_scope')
    },
  )

  it('is rejected also with a workspace named, and the response tells what to do', async () => {
    const headers = { 'x-workspace-key': fleet.owner.workspaceId }
    const { body, status } = await fleet.request('GET', '/v1/auth/sessions', { as: narrow, headers })
    expect([status, body.detail]).toEqual([
      403,
      'The token is restricted by `scope`; use one that was requested without `scope`',
    ])
  })

  it('reads the own profile, which states its scopes', async () => {
    const headers = { 'x-workspace-key': fleet.owner.workspaceId }
    const { body } = await fleet.request('GET', '/v1/auth/me', { as: narrow, headers })
    expect(body.data).toMatchObject({ user_id: fleet.owner.ownerId, credential: { scopes: ['data:read'] } })
  })

  it('ends its own session', async () => {
    const { refresh_token } = await fleet.signIn(fleet.owner.ownerId)
    const { body } = await fleet.request('POST', '/v1/auth/token', { body: { refresh_token, scope: 'data:read' } })
    const as = body.data.access_token
    expect((await fleet.request('POST', '/v1/auth/logout', { as })).status).toBe(200)
  })
})

it('accepts the token of a service principal, which reaches its own workspace only', async () => {
  const as = await fleet.token(fleet.owner, 'data:read')
  const { body } = await fleet.request('GET', '/v1/system/workspaces', { as })
  expect(body.data).toMatchObject([{ workspace_id: fleet.owner.workspaceId }])
})
