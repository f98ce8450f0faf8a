import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCredentialSource } from '../../src/transport/credentials.ts'
import {
  type FakePlatform,
  problem,
  retryableError,
  startFakePlatform,
  success,
  token,
} from '../fixture/fake-platform.ts'

const workspace = '/v1/system/workspace'
const tokens = '/v1/auth/token'
const done = success({ workspace_id: 'ws_1' })
const machine = { clientId: 'sp_1', clientSecret: 'hush', scope: 'workspace:read' }
const expired = { status: 401, body: problem(401, 'expired_credential') }

let platform: FakePlatform
beforeEach(async () => {
  platform = await startFakePlatform()
})
afterEach(() => platform.stop())

const bearers = () => platform.requestsTo(workspace).map(({ headers }) => headers.authorization)

describe('a service principal', () => {
  it('exchanges its secret once for many concurrent calls', async () => {
    platform.reply(tokens, token('one'))
    platform.reply(workspace, done)
    const client = platform.client({ credential: machine })
    await Promise.all(Array.from({ length: 10 }, () => client.system.getWorkspace()))
    await client.system.getWorkspace()
    expect(platform.requestsTo(tokens).map(({ body }) => JSON.parse(body))).toEqual([
      { client_id: 'sp_1', client_secret: 'hush', scope: 'workspace:read' },
    ])
    expect(bearers()).toEqual(Array(11).fill('Bearer one'))
  })

  it('sends its secret only to the token endpoint, without idempotency key and workspace', async () => {
    platform.reply(tokens, token('one'))
    platform.reply(workspace, done)
    await platform.client({ credential: machine, workspaceId: 'ws_1' }).system.getWorkspace()
    const [exchange, call] = platform.requests
    for (const name of ['authorization', 'x-workspace-key', 'idempotency-key'])
      expect(exchange?.headers).not.toHaveProperty(name)
    expect(JSON.stringify(call)).not.toContain('hush')
  })

  it('renews a rejected token and repeats the call under the same idempotency key', async () => {
    const variables = '/v1/system/workspace/variables'
    platform.reply(tokens, token('old'), token('new'))
    platform.reply(variables, expired, success({ name: 'A' }))
    const client = platform.client({ credential: machine })
    expect(await client.system.putVariable({ body: { name: 'A', value: 'x' } })).toMatchObject({ status: 'ok' })
    const calls = platform.requestsTo(variables)
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('renews once when many concurrent calls are rejected', async () => {
    platform.reply(tokens, token('old'), token('new'), token('newer'))
    platform.reply(workspace, (response, { headers }) => {
      const { status, body } = headers.authorization === 'Bearer old' ? expired : { status: 200, ...done }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const client = platform.client({ credential: machine })
    await Promise.all(Array.from({ length: 5 }, () => client.system.getWorkspace()))
    expect(platform.requestsTo(tokens)).toHaveLength(2)
    expect(bearers().filter((bearer) => bearer === 'Bearer new')).toHaveLength(5)
  })

  it('rejects the call when the renewed token is rejected, too', async () => {
    platform.reply(tokens, token('one'), token('two'), token('three'))
    platform.reply(workspace, expired)
    await expect(platform.client({ credential: machine }).system.getWorkspace()).rejects.toMatchObject({
      status: 401,
      code: 'expired_credential',
    })
    expect(bearers()).toEqual(['Bearer one', 'Bearer two'])
  })

  it('renews for the next call, but does not repeat a streamed body', async () => {
    const records = '/v1/data/sources/src_1/records'
    async function* rows() {
      yield new TextEncoder().encode('1\n')
    }
    platform.reply(tokens, token('old'), token('new'))
    platform.reply(records, expired)
    platform.reply(workspace, done)
    const client = platform.client({ credential: machine })
    const body = { contentType: 'text/csv', content: rows() }
    await expect(client.data.uploadRecords({ params: { data_source_id: 'src_1' }, body })).rejects.toMatchObject({
      status: 401,
    })
    expect(platform.requestsTo(records)).toHaveLength(1)
    await client.system.getWorkspace()
    expect(bearers()).toEqual(['Bearer new'])
  })

  it('rejects the call when its secret is invalid, and tries again with the next call', async () => {
    platform.reply(tokens, { status: 401, body: problem(401, 'invalid_client') }, retryableError(503), token('one'))
    platform.reply(workspace, done)
    const client = platform.client({ credential: machine })
    await expect(client.system.getWorkspace()).rejects.toMatchObject({ status: 401, code: 'invalid_client' })
    expect(platform.requestsTo(tokens)).toHaveLength(1)
    expect(await client.system.getWorkspace()).toEqual({ workspace_id: 'ws_1' })
    expect(platform.requestsTo(tokens)).toHaveLength(3)
  })

  it('ends a call that waits for its token when the signal is aborted', async () => {
    platform.reply(tokens, () => undefined)
    const signal = AbortSignal.timeout(50)
    const call = platform.client({ credential: machine }).system.getWorkspace({}, { signal })
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('renews a minute before the token expires', async () => {
    let now = 0
    let exchanges = 0
    const source = createCredentialSource(
      machine,
      async () => {
        exchanges += 1
        return { access_token: `token ${exchanges}`, expires_in: 3600 }
      },
      () => now,
    )
    const at = async (seconds: number) => {
      now = seconds * 1000
      return (await source.headers()).authorization
    }
    expect([await at(0), await at(3539), await at(3540), await at(3541)]).toEqual([
      'Bearer token 1',
      'Bearer token 1',
      'Bearer token 2',
      'Bearer token 2',
    ])
  })
})

describe('a token of a short lifetime', () => {
  it('is renewed after half of it', async () => {
    let now = 0
    let exchanges = 0
    const exchange = async () => {
      exchanges += 1
      return { access_token: 'token', expires_in: 60 }
    }
    const source = createCredentialSource(machine, exchange, () => now)
    await source.headers()
    now = 29_999
    await source.headers()
    expect(exchanges).toBe(1)
    now = 30_000
    await source.headers()
    expect(exchanges).toBe(2)
  })
})

describe('other credentials', () => {
  it('are sent unchanged, and the call is not repeated when they are rejected', async () => {
    platform.reply(workspace, expired)
    for (const credential of [{ apiKey: 'key_1' }, { accessToken: 'fixed' }])
      await expect(platform.client({ credential }).system.getWorkspace()).rejects.toMatchObject({ status: 401 })
    expect(platform.requests.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      ['key_1', undefined],
      [undefined, 'Bearer fixed'],
    ])
  })

  it('are requested again when they come from a function', async () => {
    const given = ['stale', 'fresh']
    platform.reply(workspace, expired, done)
    const client = platform.client({ credential: { accessToken: async () => given.shift() ?? 'none left' } })
    expect(await client.system.getWorkspace()).toEqual({ workspace_id: 'ws_1' })
    expect(bearers()).toEqual(['Bearer stale', 'Bearer fresh'])
  })
})
