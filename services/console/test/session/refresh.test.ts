import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { TestResponse } from '@wp/testkit'
import { startTestConsole, type TestConsole } from '../fixture/console.ts'
import { sendError, sendJson, tokens } from '../fixture/fake-edge.ts'

const keys = '/console/api/v1/auth/api-key'

let console: TestConsole
let cookie: string
beforeAll(async () => {
  console = await startTestConsole()
})
beforeEach(async () => {
  console.edge.reset()
  await console.rows('DELETE FROM sessions')
  cookie = await console.signIn()
  console.edge.on('GET /v1/auth/api-key', (request, response) =>
    sendJson(response, 200, { success: true, token: request.headers.authorization }),
  )
})
afterAll(() => console.stop())

const expireAccessToken = (interval = '-1 second') =>
  console.rows(`UPDATE sessions SET access_expires_at = now() + $1::interval`, [interval])
const tokenUsed = ({ status, body }: TestResponse) => [status, body.token]
const refreshes = () => console.edge.count('/v1/auth/token')

describe('the access token of a session', () => {
  it('is used until a minute before its expiry', async () => {
    expect(tokenUsed(await console.send('GET', keys, { cookie }))).toEqual([200, 'Bearer access-1'])
    await expireAccessToken('59 seconds')
    expect(tokenUsed(await console.send('GET', keys, { cookie }))).toEqual([200, 'Bearer access-2'])
    expect(refreshes()).toBe(1)
  })

  it('is refreshed once when 20 requests find it expired', async () => {
    await expireAccessToken()
    const responses = await Promise.all(Array.from({ length: 20 }, () => console.send('GET', keys, { cookie })))
    expect(new Set(responses.map((response) => String(tokenUsed(response))))).toEqual(new Set(['200,Bearer access-2']))
    expect(refreshes()).toBe(1)
  })

  it('is refreshed and the request repeated when the edge rejects it', async () => {
    console.edge.on('GET /v1/auth/api-key', (request, response) =>
      request.headers.authorization === 'Bearer access-1'
        ? sendError(response, 401, 'expired_credential')
        : sendJson(response, 200, { token: request.headers.authorization }),
    )
    expect(tokenUsed(await console.send('GET', keys, { cookie }))).toEqual([200, 'Bearer access-2'])
  })

  it('is refreshed and the request left to the app when its body was sent already', async () => {
    console.edge.on('POST /v1/auth/api-key', async (request, response, body) => {
      await body()
      if (request.headers.authorization === 'Bearer access-1') sendError(response, 401, 'invalid_credential')
      else sendJson(response, 201, {})
    })
    const create = () => console.send('POST', keys, { cookie, body: { name: 'key' } })
    const first = await create()
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await create()).status).toBe(201)
  })

  it('outlasts an outage of auth for as long as it is valid', async () => {
    console.edge.on('POST /v1/auth/token', (_, response) => sendError(response, 503, 'service_unavailable'))
    await expireAccessToken('30 seconds')
    expect(tokenUsed(await console.send('GET', keys, { cookie }))).toEqual([200, 'Bearer access-1'])
    await expireAccessToken()
    const response = await console.send('GET', keys, { cookie })
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []])
    console.edge.on('POST /v1/auth/token', (request) => request.socket.destroy())
    expect((await console.send('GET', keys, { cookie })).status).toBe(503)
    console.edge.on('POST /v1/auth/token', (_, answer) => sendJson(answer, 200, { success: true, data: tokens(2) }))
    expect(tokenUsed(await console.send('GET', keys, { cookie }))).toEqual([200, 'Bearer access-2'])
  })

  it('is not exchanged for another when the edge asks for re-authentication', async () => {
    console.edge.on('GET /v1/auth/api-key', (_, response) => sendError(response, 401, 'reauthentication_required'))
    const response = await console.send('GET', keys, { cookie })
    expect([response.status, response.body.code]).toEqual([401, 'reauthentication_required'])
    expect([refreshes(), response.headers.getSetCookie()]).toEqual([0, []])
  })
})

describe('a refused refresh', () => {
  beforeEach(async () => {
    console.edge.on('POST /v1/auth/token', (_, response) => sendError(response, 400, 'invalid_grant'))
    await expireAccessToken()
  })

  it('ends the session and clears the cookie', async () => {
    const response = await console.send('GET', keys, { cookie })
    expect([response.status, response.body.code]).toEqual([401, 'invalid_credential'])
    expect(response.headers.getSetCookie()).toEqual(['console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'])
    expect(await console.rows('SELECT FROM sessions')).toEqual([])
  })

  it('lets the app show the sign-in', async () => {
    const response = await console.send('GET', '/console/api/session', { cookie })
    expect(response.body).toMatchObject({ data: { authenticated: false } })
    expect(response.headers.getSetCookie()[0]).toContain('console=; Max-Age=0')
  })

  it('ends nothing when another replica has stored newer tokens during the refresh', async () => {
    const { url: replica } = await console.addReplica()
    console.edge.on('POST /v1/auth/token', async (_, response) => {
      console.edge.on('POST /v1/auth/token', (_request, second) =>
        sendJson(second, 200, { success: true, data: tokens(3) }),
      )
      await console.send('GET', keys, { cookie, url: replica })
      sendError(response, 400, 'invalid_grant')
    })
    expect(tokenUsed(await console.send('GET', keys, { cookie }))).toEqual([200, 'Bearer access-3'])
  })
})

describe('two replicas', () => {
  it('keep the newer token when the older one is written last', async () => {
    const { url: replica } = await console.addReplica()
    await expireAccessToken()
    console.edge.on('POST /v1/auth/token', async (_, response) => {
      console.edge.on('POST /v1/auth/token', (_request, second) =>
        sendJson(second, 200, { success: true, data: tokens(3) }),
      )
      await console.send('GET', keys, { cookie, url: replica })
      sendJson(response, 200, { success: true, data: tokens(2) })
    })
    const tokensUsed = [tokenUsed(await console.send('GET', keys, { cookie }))]
    tokensUsed.push(tokenUsed(await console.send('GET', keys, { cookie, url: replica })))
    expect(tokensUsed).toEqual([
      [200, 'Bearer access-3'],
      [200, 'Bearer access-3'],
    ])
    expect(await console.rows('SELECT refresh_count FROM sessions')).toEqual([{ refresh_count: 1 }])
  })

  it('serve a session that the other one began', async () => {
    const { url } = await console.addReplica()
    expect((await console.send('GET', keys, { cookie, url })).status).toBe(200)
  })
})
