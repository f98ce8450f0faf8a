import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import type { TestResponse } from '@wp/testkit'
import { fixtureOf } from './access-fixtures.ts'
import type { AccessSuite } from './access-suite.ts'
import { authenticated, type EndpointCall } from './endpoint-calls.ts'

/** Endpoints that accept an idempotency key. Each exception states its reason in its fixture. */
export const idempotent = authenticated.filter(
  (definition) =>
    (definition.method === 'POST' || definition.method === 'PATCH') &&
    fixtureOf(definition).withoutIdempotencyKey === undefined,
)

const newKey = () => randomUUID()

/** Returns a different valid body; undefined if nothing in the body can be changed. */
function otherBody(definition: EndpointDefinition, { request: { body } }: EndpointCall): unknown {
  const { alternativeBody } = fixtureOf(definition)
  if (alternativeBody !== undefined || typeof body !== 'object' || body === null) return alternativeBody
  if ('name' in body) return { ...body, name: `${body.name}2` }
  return undefined
}

/** Returns true if the response to the request holds a secret, which is not stored. */
const holdsSecret = ({ secret }: EndpointDefinition, { body }: TestResponse): boolean =>
  secret !== undefined && (secret.field === undefined || secret.field in body.data)

export function describeIdempotency(suite: AccessSuite): void {
  describe('an idempotency key', () => {
    describeScope(suite)
    describeReplayedErrors(suite)
  })
}

/**
 * Sends a request twice with an idempotency key. What concurrent requests with one key get is tested with the
 * transactions of @wp/database and with variables. @returns the first response
 */
export async function sendRepeated(
  suite: AccessSuite,
  definition: EndpointDefinition,
  call: EndpointCall,
): Promise<TestResponse> {
  const headers = { 'idempotency-key': newKey() }
  const first = await call.send(headers)
  expect({ body: first.body }).toMatchObject({ body: { success: true } })
  expect(first.headers.get('idempotency-replayed')).toBeNull()

  const again = await call.send(headers)
  if (!holdsSecret(definition, first)) {
    expectReplay(again, first)
  } else {
    const id = definition.secret?.idField ?? ''
    expect(again).toMatchObject({ status: 409, body: { code: 'secret_not_replayable', [id]: first.body.data[id] } })
  }
  await expectKeyOfRequest(suite, definition, call, headers)
  return first
}

/** Checks that a response is the stored one of the request before. */
export function expectReplay(again: TestResponse, first: TestResponse): void {
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
}

/** Checks that a key that was used belongs to the body and the resource of its request. */
export async function expectKeyOfRequest(
  { calls }: AccessSuite,
  definition: EndpointDefinition,
  call: EndpointCall,
  headers: { 'idempotency-key': string },
): Promise<void> {
  const other = otherBody(definition, call)
  const { as } = call.request
  const reused =
    other === undefined
      ? await (await calls.prepare(definition, as, await calls.paramsOf(definition, as))).send(headers)
      : await call.send(headers, other)
  expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
}

function describeScope(suite: AccessSuite): void {
  const create = (as: string, key: string, more: Record<string, string> = {}) =>
    suite.fleet.request('POST', '/v1/data/sources', {
      as,
      body: { name: 'same', provider: 'upload' },
      headers: { 'idempotency-key': key, ...more },
    })

  it('is scoped to the principal, the workspace and the route', async () => {
    const key = newKey()
    const mine = await create(suite.context.owner.principal, key)
    const theirs = [
      await create(suite.context.stranger.principal, key),
      await create(suite.fleet.owner.apiKey, key),
      await create(suite.context.owner.user, key, { 'x-workspace-key': suite.fleet.owner.workspaceId }),
    ]
    const ids = [mine, ...theirs].map(({ body }) => body.data.data_source_id)
    expect(new Set(ids).size).toBe(4)
    const variable = { name: 'ROUTE', value: 'x' }
    const headers = { 'idempotency-key': key }
    const elsewhere = await suite.fleet.request('POST', '/v1/system/workspace/variables', {
      as: suite.context.owner.principal,
      body: variable,
      headers,
    })
    expect(elsewhere.status).toBe(201)
  })

  it('is scoped to the principal alone where no workspace is required, also after a second workspace is created', async () => {
    const { ownerId } = await suite.fleet.seed('growing')
    const as = await suite.fleet.userToken(ownerId)
    const patch = (body: object, more: Record<string, string> = {}) =>
      suite.fleet.request('PATCH', '/v1/auth/me', { as, body, headers: { 'idempotency-key': 'profile', ...more } })
    const first = await patch({ name: 'Grown' })
    const create = () =>
      suite.fleet.request('POST', '/v1/system/workspaces', {
        as,
        body: { name: 'Second' },
        headers: { 'idempotency-key': 'workspace' },
      })
    const made = await create()
    expect([first.status, made.status]).toEqual([200, 201])
    // With two workspaces, none can be inferred.
    for (const headers of [{}, { 'x-workspace-key': made.body.data.workspace_id }]) {
      const again = await patch({ name: 'Grown' }, headers)
      expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
    }
    expect((await patch({ name: 'Other' })).status).toBe(422)
    expect((await create()).body.data.workspace_id).toBe(made.body.data.workspace_id)
  })
}

function describeReplayedErrors(suite: AccessSuite): void {
  it('replays a validation error and never a denial that depends on the credential', async () => {
    const key = newKey()
    const invite = (role: string, as = suite.context.owner.principal) =>
      suite.fleet.request('POST', '/v1/auth/admin/users', {
        as,
        body: { email: 'kept@example.test', role },
        headers: { 'idempotency-key': key },
      })
    const unknown = await invite('unknown-role')
    expect(unknown.status).toBe(400)
    expect((await invite('unknown-role')).body).toMatchObject({ code: unknown.body.code, detail: unknown.body.detail })
    expect((await invite('viewer')).status).toBe(422)
    const forbidden = () => invite('owner', suite.fleet.owner.apiKey)
    expect([(await forbidden()).status, (await invite('viewer', suite.fleet.owner.apiKey)).status]).toEqual([403, 201])
  })
}
