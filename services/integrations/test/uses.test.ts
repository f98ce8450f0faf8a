import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createSealer, type RunningService, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'
import { definition } from '../src/index.ts'
import { type Caller, type IntegrationsHarness, inNewWorkspace, kindsOf, startHarness } from './fixture/harness.ts'
import { type HttpAnswer, type HttpServer, startHttpServer } from './fixture/http-server.ts'
import { startTcpServer, type TcpServer } from './fixture/tcp.ts'

let world: IntegrationsHarness
let server: HttpServer
let rude: TcpServer | undefined
let answer: HttpAnswer = {}
/** Runs before the server responds. */
let beforeResponse: () => Promise<unknown> = async () => {}
beforeAll(async () => {
  world = await startHarness()
  server = await startHttpServer((_request, response) => {
    beforeResponse().then(() => response.writeHead(answer.status ?? 200, answer.headers).end(answer.body))
    return undefined
  })
})
afterAll(async () => {
  await world.stop()
  await server.close()
  rude?.close()
})
afterEach(() => {
  answer = {}
  beforeResponse = async () => {}
})

const made = (caller = {}) =>
  world.made(
    { provider: 'http', name: 'Doors', config: { base_url: server.url }, secrets: { token: 'top-secret' } },
    caller,
  )
const standing = async (id: string) => {
  const { status, last_error: error, last_checked_at: at } = (await world.get(id)).body.data
  return { status, error, at }
}
const report = (id: string, body: Record<string, unknown>) => world.inside('POST', `${id}/outcome`, body)
const events = async (id: string) => kindsOf(await world.told(id)).filter((kind) => kind.startsWith('INTEGRATION'))

describe('findConnected', () => {
  const found = async (query: string, caller = {}) =>
    (await world.service('GET', `connected?${query}`, caller)).body.data.integrations
  const connected = async (provider: string, config: Record<string, unknown>, caller: Caller) => {
    const id = await world.made({ provider, name: 'Any', config }, caller)
    expect((await world.inside('POST', `${id}/outcome`, { outcome: 'ok' }, caller)).status).toBe(200)
    return id
  }

  it('returns connected integrations of a provider with the requested setting, oldest first, without secrets', async () => {
    const caller = inNewWorkspace()
    const config = { base_url: `${server.url}/`, embedding_model: 'tiny' }
    await connected('openai_compatible', { base_url: server.url }, caller)
    const first = await connected('openai_compatible', config, caller)
    const second = await connected('openai_compatible', config, caller)
    await connected('http', { base_url: server.url }, caller)
    await world.made({ provider: 'openai_compatible', name: 'Not tried', config }, caller)
    expect(await found('provider=openai_compatible&with=embedding_model', caller)).toEqual([
      { integration_id: first, status: 'connected', config, revision: 1 },
      { integration_id: second, status: 'connected', config, revision: 1 },
    ])
    expect(await found('provider=openai_compatible', caller)).toHaveLength(3)
    expect(await found('provider=openai_compatible', inNewWorkspace())).toEqual([])
    const byId = (id: string, given = caller) => found(`provider=openai_compatible&integration_id=${id}`, given)
    expect(await byId(second)).toMatchObject([{ integration_id: second }])
    expect(await byId(second, inNewWorkspace())).toEqual([])
    await world.patch(first, { status: 'disconnected' }, caller)
    expect(await found('provider=openai_compatible&with=embedding_model', caller)).toMatchObject([
      { integration_id: second },
    ])
  })
})

describe('secrets', () => {
  it('are returned to a permitted service in the workspace of the call, and the access is audited', async () => {
    const id = await made()
    const given = await world.inside('GET', `${id}/secrets`)
    expect(given.body.data).toEqual({
      integration_id: id,
      provider: 'http',
      name: 'Doors',
      config: { base_url: `${server.url}/`, headers: {} },
      secrets: { token: 'top-secret' },
      revision: 1,
    })
    expect(given.headers.get('cache-control')).toBe('no-store')
    const used = (await world.told(id)).at(-1)
    expect(used?.data).toMatchObject({
      action: 'integration.secret_used',
      actor: world.caller.principal,
      targets: [{ type: 'integration', id }],
    })
    expect(JSON.stringify(await world.told(id))).not.toContain('top-secret')
  })

  it('are returned to a system call of a service with a workspace', async () => {
    const id = await made()
    const service = { principal: { id: 'svc:data', type: 'service' as const }, credentialId: 'svc:data', scopes: [] }
    expect((await world.inside('GET', `${id}/secrets`, undefined, service)).status).toBe(200)
    expect((await world.told(id)).at(-1)?.data.actor).toEqual(service.principal)
    const nowhere = { ...service, workspaceId: null }
    expect(await world.inside('GET', `${id}/secrets`, undefined, nowhere)).toMatchObject(
      problemResponse(400, 'workspace_required'),
    )
    expect(await world.inside('GET', `${id}/secrets`, undefined, { ...service, ...inNewWorkspace() })).toMatchObject(
      problemResponse(404, 'not_found'),
    )
  })

  it('are refused to every other signer and principal', async () => {
    const id = await made()
    for (const signer of ['gateway', 'solutions', 'webhook-delivery', 'system'] as const)
      for (const [method, path, body] of [
        ['GET', 'secrets', undefined],
        ['POST', 'outcome', { outcome: 'ok' }],
        ['POST', 'uses', { service: 'data', type: 'source', id: 'x' }],
        ['DELETE', 'uses/data/source/x', undefined],
      ] as const) {
        const at = `/internal/integrations/integrations/${id}/${path}`
        const refusal = await world.request(method, at, { signer, ...(body === undefined ? {} : { body }) })
        expect(refusal).toMatchObject(problemResponse(403, 'caller_not_allowed'))
      }
    expect(kindsOf(await world.told(id))).toEqual(['integration.created'])
  })

  it('are refused, and tests too, when the integration is disconnected', async () => {
    const id = await made()
    expect((await world.patch(id, { status: 'disconnected' })).body.data.status).toBe('disconnected')
    expect(await world.inside('GET', `${id}/secrets`)).toMatchObject(problemResponse(409, 'integration_disconnected'))
    expect(await world.test(id)).toMatchObject(problemResponse(409, 'integration_disconnected'))
    await report(id, { outcome: 'ok' })
    await world.patch(id, { secrets: { token: 'two' } })
    expect((await standing(id)).status).toBe('disconnected')
    expect((await world.patch(id, { status: 'pending' })).body.data.status).toBe('pending')
    expect((await world.inside('GET', `${id}/secrets`)).status).toBe(200)
    expect(server.requests).toEqual([])
  })
})

describe('the status', () => {
  it('follows reported uses and emits one event per change', async () => {
    const id = await made()
    expect((await report(id, { outcome: 'ok' })).body.data).toEqual({ integration_id: id, status: 'connected' })
    await report(id, { outcome: 'ok' })
    expect(await standing(id)).toEqual({ status: 'connected', error: null, at: expect.any(String) })
    await report(id, { outcome: 'unauthorized', message: 'The provider answered 401' })
    await report(id, { outcome: 'unauthorized', message: 'The provider answered 403' })
    expect(await standing(id)).toMatchObject({
      status: 'error',
      error: { code: 'unauthorized', message: 'The provider answered 403', at: expect.any(String) },
    })
    await report(id, { outcome: 'ok' })
    expect(await standing(id)).toMatchObject({ status: 'connected', error: null })
    expect(await events(id)).toEqual(['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED', 'INTEGRATION_CONNECTED'])
    const failed = (await world.told(id)).find(({ kind }) => kind === 'INTEGRATION_FAILED')
    expect(failed?.data).toMatchObject({ id, status: 'error', name: 'Doors', reason: 'The provider answered 401' })
  })

  it('emits one event when many uses report a failure concurrently', async () => {
    const id = await made()
    await Promise.all(Array.from({ length: 10 }, () => report(id, { outcome: 'unauthorized' })))
    expect(await events(id)).toEqual(['INTEGRATION_FAILED'])
  })

  it('stays connected, with a last error, when a failure is temporary', async () => {
    const id = await made()
    await report(id, { outcome: 'ok' })
    await report(id, { outcome: 'error', message: 'The provider answered 503' })
    expect(await standing(id)).toMatchObject({ status: 'connected', error: { code: 'unavailable' } })
    expect(await events(id)).toEqual(['INTEGRATION_CONNECTED'])
  })

  it('ignores a reported use of an older revision', async () => {
    const id = await made()
    const { revision } = (await world.inside('GET', `${id}/secrets`)).body.data
    await world.patch(id, { name: 'Renamed' })
    await report(id, { outcome: 'unauthorized', revision })
    expect((await standing(id)).status).toBe('error')
    await world.patch(id, { secrets: { token: 'repaired' } })
    expect(await standing(id)).toMatchObject({ status: 'pending', error: null })
    await report(id, { outcome: 'unauthorized', revision })
    expect((await standing(id)).status).toBe('pending')
  })

  it('follows tests, which return the reason of a failure', async () => {
    const id = await made()
    expect((await world.test(id)).body.data).toMatchObject({
      integration_id: id,
      ok: true,
      error: null,
      status: 'connected',
      latency_ms: expect.any(Number),
    })
    answer = { status: 401 }
    const failed = await world.test(id)
    const error = { code: 'unauthorized', message: expect.stringContaining('401') }
    expect(failed.body.data).toMatchObject({ ok: false, error, status: 'error', last_error: error })
    await world.test(id)
    answer = {}
    await world.test(id)
    expect(await events(id)).toEqual(['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED', 'INTEGRATION_CONNECTED'])
    const tested = (await world.told(id)).filter(({ data }) => data.action === 'integration.tested')
    const failure = { outcome: 'failure', changes: { ok: false, reason: 'unauthorized' } }
    const success = { outcome: 'success', changes: { ok: true } }
    expect(tested.map(({ data: { outcome, changes } }) => ({ outcome, changes }))).toEqual([
      ...[success, failure, failure, success],
    ])
  })

  it('is stored even when the server sends characters that cannot be stored', async () => {
    rude = await startTcpServer((socket) => socket.end(`554 no\0 \x1b[31m${'😀'.repeat(200_000)}\r\n`))
    const id = await world.made({
      provider: 'smtp',
      name: 'Rude',
      config: { host: '127.0.0.1', port: rude.port, security: 'none' },
    })
    const { message } = (await world.test(id)).body.data.last_error
    expect(message).toMatch(/^\P{Cc}{10,500}$/u)
  })

  it('ignores a test that ends after the integration was changed', async () => {
    const id = await made()
    answer = { status: 401 }
    beforeResponse = () => world.patch(id, { secrets: { token: 'repaired' } })
    expect((await world.test(id)).body.data).toMatchObject({ ok: false, status: 'pending', last_error: null })
    expect(await events(id)).toEqual([])
  })

  it('does not change the entity tag, so that If-Match still succeeds', async () => {
    const id = await made()
    const before = await world.get(id)
    await report(id, { outcome: 'unauthorized' })
    const after = await world.get(id)
    expect(after.body.data.updated_at).toBe(before.body.data.updated_at)
    const headers = { 'if-match': before.headers.get('etag') ?? '' }
    const path = `/v1/integrations/integrations/${id}`
    expect((await world.request('PATCH', path, { body: { name: 'x' }, headers })).status).toBe(200)
    expect((await world.request('PATCH', path, { body: { name: 'y' }, headers })).status).toBe(412)
  })
})

describe('an integration in use', () => {
  const use = (id: string) => ({ service: 'data', type: 'source', id })

  it('is not deleted; the refusal lists its users', async () => {
    const id = await made()
    for (const name of ['src_1', 'src_2', 'src_1'])
      expect(await world.inside('POST', `${id}/uses`, use(name))).toMatchObject({
        status: 200,
        body: { data: { integration_id: id, provider: 'http' } },
      })
    expect(await world.remove(id)).toMatchObject({
      status: 409,
      body: { code: 'integration_in_use', users: [use('src_1'), use('src_2')] },
    })
    expect(await world.remove(id, '?force=false')).toMatchObject(problemResponse(409, 'integration_in_use'))
    for (const name of ['src_1', 'src_1', 'src_2'])
      expect((await world.inside('DELETE', `${id}/uses/data/source/${name}`)).status).toBe(200)
    expect((await world.remove(id)).status).toBe(200)
    expect((await world.inside('DELETE', `${id}/uses/data/source/src_1`)).status).toBe(200)
    expect(await world.inside('POST', `${id}/uses`, use('src_1'))).toMatchObject(problemResponse(404, 'not_found'))
  })

  it('is deleted with force, which is audited', async () => {
    const id = await made()
    await world.inside('POST', `${id}/uses`, use('src_1'))
    expect(await world.remove(id, '?force=yes')).toMatchObject(problemResponse(400, 'validation_failed', '?force'))
    expect((await world.remove(id, '?force=true')).status).toBe(200)
    expect((await world.told(id)).at(-1)?.data).toMatchObject({
      action: 'integration.deleted',
      changes: { forced: true, users: [use('src_1')] },
    })
    const { rows } = await world.database.worker.query('SELECT FROM integration_uses WHERE integration_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('cannot be used or released by another workspace', async () => {
    const id = await made()
    await world.inside('POST', `${id}/uses`, use('src_1'))
    const stranger = inNewWorkspace()
    expect(await world.inside('POST', `${id}/uses`, use('src_2'), stranger)).toMatchObject(
      problemResponse(404, 'not_found'),
    )
    await world.inside('DELETE', `${id}/uses/data/source/src_1`, undefined, stranger)
    expect((await world.remove(id)).body.users).toEqual([use('src_1')])
  })

  it('is deleted or registered for use, never both, when the two race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await made()
      const [taken, removed] = await Promise.all([world.inside('POST', `${id}/uses`, use('x')), world.remove(id)])
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([taken.status, removed.status])
    }
  })
})

it('key rotation seals secrets under the new key, so that the previous key can be removed', async () => {
  const [old, next] = [String(world.env.KEK), randomBytes(32).toString('base64')]
  const id = await world.made({
    provider: 'http',
    name: 'Two',
    config: { base_url: server.url },
    secrets: { username: 'u', password: 'top-secret' },
  })
  const kept = async () => {
    const { rows } = await world.database.worker.query<{ secrets: Record<string, string> }>(
      'SELECT secrets FROM integrations WHERE integration_id = $1',
      [id],
    )
    return rows[0]?.secrets ?? {}
  }
  const sealer = createSealer(next)
  let replica: RunningService | undefined
  try {
    replica = await startService(definition, { ...world.env, PORT: '0', KEK: next, KEK_PREVIOUS: old })
    await eventually(async () => Object.values(await kept()).every((sealed) => !sealer.isStale(sealed)))
    const opened = Object.entries(await kept()).map(([name, sealed]) => [
      name,
      sealer.open(sealed, `${id}/secrets/${name}`),
    ])
    expect(Object.fromEntries(opened)).toEqual({ username: 'u', password: 'top-secret' })
    const { url } = replica
    await eventually(async () =>
      /sealed_under_previous_key\{[^}]*what="integrations"[^}]*\} 0\n/.test(
        await (await fetch(`${url}/metrics`)).text(),
      ),
    )
  } finally {
    await replica?.stop()
  }
})

it('a failed connection test shows no secret when the server repeats it', async () => {
  const body = { provider: 'mcp_server', name: 'Wiki', config: { url: server.url }, secrets: { token: 'top-secret' } }
  const id = await world.made(body)
  const error = { code: -32_000, message: 'no user of Bearer top\\u002dsecret' }
  answer = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, error }) }
  const message = 'The server does not respond like an MCP server: no user of Bearer [secret]'
  expect((await world.test(id)).body.data.error).toMatchObject({ message })
  expect((await standing(id)).error).toMatchObject({ message })
})
