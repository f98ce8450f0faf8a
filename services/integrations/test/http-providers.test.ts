import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createAuthority, findFreePort } from '@wp/testkit'
import type { ProviderAccess } from '../src/providers/provider.ts'
import { type Came, type HttpAnswer, type HttpServer, startHttpServer } from './fixture/http-server.ts'
import { createTestAccess, testConnection } from './fixture/provider-access.ts'

let server: HttpServer
let access: ProviderAccess
let serve: (request: Came) => HttpAnswer | undefined = () => ({})
beforeAll(async () => {
  server = await startHttpServer((request) => serve(request))
  const { url } = server
  access = createTestAccess({
    google: `${url}/google`,
    github: `${url}/github`,
    githubApi: `${url}/github-api`,
    slackApi: `${url}/slack/api`,
    slackHooks: `${url}/slack-hooks`,
  })
})
afterAll(async () => {
  access.outbound.close()
  await server.close()
})
afterEach(() => {
  serve = () => ({})
  server.requests.length = 0
})

const bearer = ({ headers }: Came) => headers.authorization?.replace('Bearer ', '')
const formOf = ({ body }: Came) => Object.fromEntries(new URLSearchParams(body))
const path = ({ url }: Came) => url.pathname
const statuses: [number, string][] = [
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [429, 'unavailable'],
  [503, 'unavailable'],
]

describe('http', () => {
  const call = (secrets: Record<string, string>, headers: Record<string, string> = {}) =>
    testConnection(access, 'http', { base_url: `${server.url}/base`, headers }, secrets)

  it('sends the configured headers and credentials', async () => {
    expect(await call({ token: 'one' }, { 'x-tenant': 'north' })).toBe('ok')
    expect(await call({ username: 'ü', password: 'p:w' })).toBe('ok')
    expect(await call({ 'headers.X-Api-Key': 'three' })).toBe('ok')
    expect(server.requests.map(path)).toEqual(['/base', '/base', '/base'])
    const [first, second, third] = server.requests.map(({ headers }) => headers)
    expect(first).toMatchObject({ authorization: 'Bearer one', 'x-tenant': 'north' })
    expect(Buffer.from(second?.authorization?.slice(6) ?? '', 'base64').toString()).toBe('ü:p:w')
    expect(third).toMatchObject({ 'x-api-key': 'three' })
    expect(third?.authorization).toBeUndefined()
  })

  it.each(statuses)('fails when the status is %d: %s', async (status, code) => {
    serve = () => ({ status })
    expect(await call({})).toEqual({ code, message: expect.stringContaining(`${status}`) })
  })

  it.each([200, 204, 302, 404, 405])('succeeds when the status is %d', async (status) => {
    serve = () => ({ status })
    expect(await call({})).toBe('ok')
  })

  it('does not follow redirects', async () => {
    serve = ({ url }) => (url.pathname === '/base' ? { status: 302, headers: { location: '/elsewhere' } } : {})
    expect(await call({ token: 'x' })).toBe('ok')
    expect(server.requests.map(path)).toEqual(['/base'])
  })
})

describe('an unreachable provider', () => {
  const call = (base_url: string, own = access) => testConnection(own, 'http', { base_url })

  it('fails with refused, blocked_address, timeout, protocol or tls', async () => {
    expect(await call(`http://127.0.0.1:${await findFreePort()}/`)).toMatchObject({ code: 'refused' })
    const unknown = createTestAccess(
      {},
      { lookup: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) },
    )
    expect(await call('http://missing.test:8080/', unknown)).toMatchObject({ code: 'blocked_address' })
    serve = () => undefined
    expect(await call(server.url, createTestAccess({}, {}, 100))).toMatchObject({ code: 'timeout' })
    const mute = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('hello\r\n\r\n'),
    )
    await once(mute.listen(0, '127.0.0.1'), 'listening')
    const { port } = mute.address() as AddressInfo // a server that listens on TCP has such an address
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ code: 'protocol' })
    expect(await call(`https://127.0.0.1:${port}/`)).toMatchObject({ code: 'tls' })
    mute.close()
  })

  it('fails with timeout when all steps together take longer than the limit of a test', async () => {
    // The first step succeeds, the second one is not answered.
    serve = ({ url }) => (url.pathname.endsWith('/models') ? { body: { data: [] } } : undefined)
    const config = { base_url: `${server.url}/v1`, embedding_model: 'small' }
    const slow = createTestAccess({}, {}, 10_000)
    expect(await testConnection(slow, 'openai_compatible', config, {}, 150)).toEqual({
      code: 'timeout',
      message: 'The connection test took longer than 150 ms',
    })
    expect(server.requests.map(path)).toEqual(['/v1/models', '/v1/embeddings'])
    slow.outbound.close()
  })
})

describe('openai_compatible', () => {
  const call = (config: Record<string, unknown> = {}, secrets: Record<string, string> = { api_key: 'sk-1' }) =>
    testConnection(access, 'openai_compatible', { base_url: `${server.url}/v1/`, ...config }, secrets)
  const models = { object: 'list', data: [{ id: 'small' }, { id: 'large' }] }

  it('requests the list of models', async () => {
    serve = (request) => (bearer(request) === 'sk-1' ? { body: models } : { status: 401, body: { error: {} } })
    expect(await call()).toBe('ok')
    expect(server.requests.map(path)).toEqual(['/v1/models'])
    expect(await call({}, { api_key: 'sk-2' })).toMatchObject({ code: 'unauthorized' })
    serve = (request) => (bearer(request) === undefined ? { body: models } : { status: 400 })
    expect(await call({}, {})).toBe('ok')
  })

  it('names configured models that the provider does not have', async () => {
    serve = () => ({ body: models })
    expect(await call({ models: ['large'] })).toBe('ok')
    expect(await call({ models: ['large', 'huge', 'tiny'] })).toEqual({
      code: 'not_found',
      message: 'The provider does not have huge, tiny',
    })
  })

  it.each([...statuses, [404, 'not_found'] as const])('fails when the status is %d: %s', async (status, code) => {
    serve = () => ({ status })
    expect(await call()).toMatchObject({ code })
  })

  it.each([{ data: 'x' }, {}, 'no JSON'])('rejects %j as a list of models', async (body) => {
    serve = () => ({ body })
    expect(await call()).toMatchObject({ code: 'protocol' })
  })

  it.each([...[403, 404, 405, 500, 501].map((status) => ({ status })), { body: '<html></html>' }])(
    'tests a configured model by a chat when the list of models is %j',
    async (list) => {
      const completion = { choices: [{ message: { role: 'assistant', content: 'ok' } }] }
      serve = (request) => (path(request) === '/v1/models' ? list : { body: completion })
      expect(await call({ models: ['gpt'] })).toBe('ok')
      expect(server.requests.map(path)).toEqual(['/v1/models', '/v1/chat/completions'])
      expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({ model: 'gpt', max_tokens: 1 })
    },
  )

  it.each([
    [{ status: 404 }, 'not_found'],
    [{ status: 400 }, 'not_found'],
    [{ status: 401 }, 'unauthorized'],
    [{ status: 503 }, 'unavailable'],
    [{ body: { choices: [] } }, 'not_found'],
    [{ body: 'no JSON' }, 'not_found'],
  ])('fails without a list of models when the chat is answered by %j', async (answer, code) => {
    serve = (request) => (path(request) === '/v1/models' ? { status: 404 } : answer)
    expect(await call({ models: ['gpt'] })).toMatchObject({ code })
  })

  it('accepts a model that asks for max_completion_tokens', async () => {
    const error = { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." }
    serve = (request) => (path(request) === '/v1/models' ? { status: 404 } : { status: 400, body: { error } })
    expect(await call({ models: ['o4'] })).toBe('ok')
  })

  it('asks for a model when the provider lists none and none is configured', async () => {
    serve = () => ({ status: 404 })
    expect(await call()).toEqual({
      code: 'not_found',
      message: 'The provider does not list its models; name one in `models`',
    })
  })

  it('accepts a configured model that answers although the list leaves it out', async () => {
    const completion = { choices: [{ message: {} }] }
    serve = (request) => ({ body: path(request) === '/v1/models' ? models : completion })
    expect(await call({ models: ['small', 'hidden'] })).toBe('ok')
  })

  const embedding = (answer: HttpAnswer) => (request: Came) =>
    path(request) === '/v1/embeddings' ? answer : { body: models }
  const vector = { data: [{ index: 0, embedding: [0.6, 0.8] }] }

  it('requests an embedding when an embedding model is configured', async () => {
    serve = embedding({ body: vector })
    expect(await call({ embedding_model: 'tiny' })).toBe('ok')
    expect(server.requests.map(path)).toEqual(['/v1/models', '/v1/embeddings'])
    const [, asked] = server.requests
    expect(asked).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer sk-1' } })
    expect(JSON.parse(asked?.body ?? '')).toEqual({ model: 'tiny', input: ['test'], encoding_format: 'float' })
    expect(await call({ embedding_model: 'tiny', embedding_dimensions: 2 })).toBe('ok')
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toMatchObject({ dimensions: 2 })
    expect(await call({ embedding_model: 'tiny', embedding_dimensions: 3 })).toEqual({
      code: 'protocol',
      message: 'tiny creates embeddings of 2 dimensions instead of 3',
    })
  })

  it.each([
    [{ status: 404 }, 'not_found'],
    [{ status: 400 }, 'not_found'],
    [{ status: 401 }, 'unauthorized'],
    [{ status: 429 }, 'unavailable'],
    [{ body: { data: [] } }, 'protocol'],
    [{ body: { data: [{ embedding: [] }] } }, 'protocol'],
    [{ body: 'no JSON' }, 'protocol'],
  ])('takes no %j for an embedding', async (answer, code) => {
    serve = embedding(answer)
    expect(await call({ embedding_model: 'tiny' })).toMatchObject({ code })
  })

  it('rejects options of embeddings without an embedding model', async () => {
    await expect(call({ embedding_dimensions: 256 })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/config/embedding_dimensions' }],
    })
    await expect(call({ embedding_query_prefix: 'query: ', embedding_batch_size: 2 })).rejects.toMatchObject({
      errors: [{ pointer: '/config/embedding_query_prefix' }, { pointer: '/config/embedding_batch_size' }],
    })
  })

  it('tests an embedding of a query with its prefix and type', async () => {
    serve = embedding({ body: vector })
    const options = { embedding_query_prefix: 'query: ', embedding_query_type: 'search_query' }
    expect(await call({ embedding_model: 'tiny', ...options })).toBe('ok')
    expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({
      input: ['query: test'],
      input_type: 'search_query',
    })
  })
})

describe('slack', () => {
  it('verifies the bot token', async () => {
    serve = (request) =>
      path(request) !== '/slack/api/auth.test' || request.method !== 'POST'
        ? { status: 404 }
        : { body: bearer(request) === 'xoxb-1' ? { ok: true, team: 'T' } : { ok: false, error: 'invalid_auth' } }
    expect(await testConnection(access, 'slack', {}, { bot_token: 'xoxb-1' })).toBe('ok')
    expect(await testConnection(access, 'slack', {}, { bot_token: 'xoxb-2' })).toEqual({
      code: 'unauthorized',
      message: 'Slack rejected the token: invalid_auth',
    })
    serve = () => ({ body: { ok: false, error: 'internal_error' } })
    expect(await testConnection(access, 'slack', {}, { bot_token: 'xoxb-1' })).toMatchObject({ code: 'unavailable' })
    serve = () => ({ body: 'no JSON' })
    expect(await testConnection(access, 'slack', {}, { bot_token: 'xoxb-1' })).toMatchObject({ code: 'protocol' })
  })

  it('verifies a webhook without posting a message', async () => {
    serve = (request) =>
      path(request) !== '/slack-hooks/services/T/B/x'
        ? { status: 404, body: 'no_service' }
        : { status: 400, body: JSON.parse(request.body).text === undefined ? 'no_text' : 'posted' }
    const webhook = (webhook_url: string) => testConnection(access, 'slack', {}, { webhook_url })
    expect(await webhook(`${server.url}/slack-hooks/services/T/B/x`)).toBe('ok')
    expect(await webhook(`${server.url}/slack-hooks/services/T/B/y`)).toMatchObject({ code: 'unauthorized' })
    serve = () => ({ status: 503 })
    expect(await webhook(`${server.url}/slack-hooks/services/T/B/x`)).toMatchObject({ code: 'unavailable' })
  })
})

describe('github', () => {
  it('verifies the token', async () => {
    serve = (request) =>
      path(request) === '/github-api/user' && bearer(request) === 'ghp_1' ? { body: { id: 1 } } : { status: 401 }
    expect(await testConnection(access, 'github', {}, { token: 'ghp_1' })).toBe('ok')
    expect(await testConnection(access, 'github', {}, { token: 'ghp_2' })).toMatchObject({ code: 'unauthorized' })
  })

  it('verifies an OAuth app with an invalid code', async () => {
    serve = (request) => {
      const { client_id: id, client_secret: secret } = formOf(request)
      if (path(request) !== '/github/login/oauth/access_token' || id !== 'Iv1') return { status: 404 }
      return { body: { error: secret === 'right' ? 'bad_verification_code' : 'incorrect_client_credentials' } }
    }
    const app = (client_id: string, client_secret: string) =>
      testConnection(access, 'github', { client_id }, { client_secret })
    expect(await app('Iv1', 'right')).toBe('ok')
    expect(await app('Iv1', 'wrong')).toMatchObject({ code: 'unauthorized' })
    expect(await app('Iv2', 'right')).toMatchObject({ code: 'unauthorized' })
    serve = () => ({ body: 'no JSON' })
    expect(await app('Iv1', 'right')).toMatchObject({ code: 'protocol' })
  })
})

describe('google', () => {
  const refusal = (status: number, error: string) => ({ status, body: { error } })

  it('verifies a refresh token', async () => {
    serve = (request) => {
      const { grant_type: grant, client_id: id, client_secret: secret, refresh_token: token } = formOf(request)
      if (path(request) !== '/google/token' || grant !== 'refresh_token') return { status: 404 }
      if (id !== 'app' || secret !== 'right') return refusal(401, 'invalid_client')
      return token === '1//x' ? { body: { access_token: 'ya29' } } : refusal(400, 'invalid_grant')
    }
    const call = (client_secret: string, token: string) =>
      testConnection(access, 'google', { client_id: 'app' }, { client_secret, token })
    expect(await call('right', '1//x')).toBe('ok')
    expect(await call('right', '1//y')).toEqual({
      code: 'unauthorized',
      message: 'Google rejected the credentials: invalid_grant',
    })
    expect(await call('wrong', '1//x')).toEqual({
      code: 'unauthorized',
      message: 'Google rejected the credentials: invalid_client',
    })
    serve = () => ({ status: 500 })
    expect(await call('right', '1//x')).toMatchObject({ code: 'unavailable' })
  })

  it('verifies an OAuth client with an invalid code', async () => {
    serve = (request) => {
      const { grant_type: grant, client_secret: secret } = formOf(request)
      if (grant !== 'authorization_code') return { status: 404 }
      return secret === 'right' ? refusal(400, 'invalid_grant') : refusal(401, 'invalid_client')
    }
    const call = (client_secret: string) => testConnection(access, 'google', { client_id: 'app' }, { client_secret })
    expect(await call('right')).toBe('ok')
    expect(await call('wrong')).toMatchObject({ code: 'unauthorized' })
  })

  it('verifies an access token without putting it into a URL', async () => {
    serve = (request) =>
      path(request) === '/google/tokeninfo' && formOf(request).access_token === 'ya29.x'
        ? { body: { aud: 'app' } }
        : refusal(400, 'invalid_token')
    expect(await testConnection(access, 'google', {}, { token: 'ya29.x' })).toBe('ok')
    expect(server.requests[0]?.url.search).toBe('')
    expect(await testConnection(access, 'google', {}, { token: 'ya29.y' })).toMatchObject({ code: 'unauthorized' })
  })
})

describe('mcp_server', () => {
  const call = (secrets: Record<string, string> = { token: 't' }) =>
    testConnection(access, 'mcp_server', { url: `${server.url}/mcp` }, secrets)
  const hello = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 's' } } }
  const stream = (...events: string[]) => ({
    headers: { 'content-type': 'text/event-stream' },
    body: events.map((event) => `${event}\n\n`).join(''),
  })

  it('sends initialize as the protocol requires', async () => {
    serve = (request) => (bearer(request) === 't' ? { body: hello } : { status: 401 })
    expect(await call()).toBe('ok')
    const [asked] = server.requests
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    expect(asked?.headers.accept).toBe('application/json, text/event-stream')
    expect(await call({ token: 'u' })).toMatchObject({ code: 'unauthorized' })
    expect(await call({})).toMatchObject({ code: 'unauthorized' })
  })

  it.each([
    ['2025-11-25', 'initialize', { protocolVersion: '2025-11-25', serverInfo: { name: 's' } }],
    ['2026-07-28', 'server/discover', { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }],
  ])('accepts a server that speaks revision %s only', async (revision, method, result) => {
    serve = ({ body, headers }) => {
      const isKnown = JSON.parse(body).method === method && headers['mcp-protocol-version'] === revision
      const unknown = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }
      return isKnown ? { body: { jsonrpc: '2.0', id: 1, result } } : { status: 404, body: unknown }
    }
    expect(await call()).toBe('ok')
  })

  it('finds the response among other events and ends the session', async () => {
    const others = [
      { jsonrpc: '2.0', method: 'notifications/message', params: {} },
      { jsonrpc: '2.0', id: 'ping-1', method: 'ping' },
    ]
    const { headers, body } = stream(
      ...others.map((other) => `data: ${JSON.stringify(other)}`),
      `event: message\ndata: ${JSON.stringify(hello)}`,
    )
    serve = () => ({ headers: { ...headers, 'mcp-session-id': 'one' }, body })
    expect(await call()).toBe('ok')
    expect(server.requests.map(({ method, headers }) => [method, headers['mcp-session-id']])).toEqual([
      ['POST', undefined],
      ['DELETE', 'one'],
    ])
  })

  it('does not wait for the end of an event stream', async () => {
    const endless = await startHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(hello)}\n\n`)
      return undefined
    })
    expect(await testConnection(access, 'mcp_server', { url: endless.url })).toBe('ok')
    await endless.close()
  })

  it('reports the error of the server and rejects other protocols', async () => {
    serve = () => ({ body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unsupported version' } } })
    expect(await call()).toEqual({ code: 'protocol', message: expect.stringContaining('Unsupported version') })
    for (const body of ['<html>', {}, stream('data: x').body]) {
      serve = () => ({ body })
      expect(await call()).toMatchObject({ code: 'protocol' })
    }
    serve = () => ({ status: 404 })
    expect(await call()).toMatchObject({ code: 'not_found' })
  })
})

it('TLS trusts only the certificate authorities of the operator', async () => {
  const authority = createAuthority()
  const { certificate: cert, key } = authority.issue({ names: ['127.0.0.1'] })
  const secure = createHttpsServer({ cert, key }, (_request, response) => response.end())
  await once(secure.listen(0, '127.0.0.1'), 'listening')
  const { port } = secure.address() as AddressInfo // as above
  const config = { base_url: `https://127.0.0.1:${port}/` }
  const own = createTestAccess({}, { ca: authority.certificate })
  expect(await testConnection(own, 'http', config)).toBe('ok')
  expect(await testConnection(access, 'http', config)).toMatchObject({ code: 'tls' })
  own.outbound.close()
  secure.close()
})
