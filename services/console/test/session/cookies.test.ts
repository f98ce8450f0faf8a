import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestConsole, type TestConsole } from '../fixture/console.ts'
import { sendError, sendJson, tokens } from '../fixture/fake-edge.ts'

const session = '/console/api/session'
const value = '[A-Za-z0-9_-]{43}'

let console: TestConsole
beforeAll(async () => {
  console = await startTestConsole({ PUBLIC_BASE_URL: 'https://platform.example' })
})
beforeEach(() => console.edge.reset())
afterAll(() => console.stop())

describe('the cookies of a platform with https', () => {
  it('have the prefix __Host- and are Secure', async () => {
    const begun = await console.send('POST', `${session}/login`, { body: { email: 'owner@example.com' } })
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^__Host-console-sign-in=${value}; Max-Age=900; Path=/; HttpOnly; SameSite=Strict; Secure$`),
      ),
    ])
    const body = { login_id: 'login_1', code: '123456' }
    const { headers } = await console.send('POST', `${session}/verify`, { body })
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^__Host-console=${value}; Max-Age=\\d+; Path=/; HttpOnly; SameSite=Strict; Secure$`),
      ),
      expect.stringMatching(
        new RegExp(`^__Host-console-device=${value}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict; Secure$`),
      ),
    ])
  })

  it('are not read without the prefix, which any host of the site could set', async () => {
    const cookie = await console.signIn()
    const isSignedIn = async (sent: string) =>
      (await console.send('GET', session, { cookie: sent })).body.data.authenticated
    expect(await isSignedIn(cookie)).toBe(true)
    expect(await isSignedIn(cookie.replace('__Host-', ''))).toBe(false)
  })
})

describe('the providers of the sign-in', () => {
  it('are those that auth has configured, and begin at an address of the platform', async () => {
    const { body } = await console.send('GET', session)
    expect(body.data).toMatchObject({ providers: ['github'], public_base_url: 'https://platform.example' })
    const begun = await console.send('POST', `${session}/providers`, { body: { provider: 'github' } })
    const location = new URL(begun.body.data.location)
    expect(location.origin + location.pathname).toBe('https://platform.example/v1/auth/login/github')
    expect(Object.fromEntries(location.searchParams)).toEqual({
      redirect_uri: 'https://platform.example/console/sign-in/callback',
      code_challenge: expect.stringMatching(new RegExp(`^${value}$`)),
    })
    expect(begun.headers.getSetCookie()[0]).toContain('__Host-console-sign-in=')
  })

  it('include that of the company which the mail address names', async () => {
    const begun = await console.send('POST', `${session}/company`, { body: { email: 'Ann@Company.example' } })
    const location = new URL(begun.body.data.location)
    expect(location.origin + location.pathname).toBe('https://platform.example/v1/auth/login/sso')
    expect(Object.fromEntries(location.searchParams)).toEqual({
      email: 'ann@company.example',
      redirect_uri: 'https://platform.example/console/sign-in/callback',
      code_challenge: expect.stringMatching(new RegExp(`^${value}$`)),
    })
  })
})

describe('a session', () => {
  beforeEach(() => console.rows('DELETE FROM sessions'))

  it('keeps the access token of a re-authentication that was stored while a refresh was under way', async () => {
    const cookie = await console.signIn()
    const read = `SELECT session_id, refresh_count, authenticated_at FROM sessions`
    await console.rows(`UPDATE sessions SET access_expires_at = now()`)
    const [before] = await console.rows<{ session_id: string }>(read)
    console.edge.on('POST /v1/auth/token', async (_, response) => {
      // the re-authentication is stored while the refresh waits
      await console.rows(`UPDATE sessions SET authenticated_at = now() + interval '1 hour', cookie_hash = 'new'`)
      sendJson(response, 200, { success: true, data: tokens(2) })
    })
    const sealed = 'SELECT sealed_access_token FROM sessions'
    const [{ sealed_access_token: kept } = { sealed_access_token: '' }] = await console.rows<{
      sealed_access_token: string
    }>(sealed)
    await console.send('GET', session, { cookie })
    expect(await console.rows(sealed)).toEqual([{ sealed_access_token: kept }])
    expect(await console.rows(read)).toMatchObject([{ session_id: before?.session_id, refresh_count: 1 }])
  })

  it('is not reported as ended when auth is unavailable', async () => {
    const cookie = await console.signIn()
    console.edge.on('GET /v1/auth/me', (_, response) => sendError(response, 503, 'service_unavailable'))
    const response = await console.send('GET', session, { cookie })
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []])
  })
})
