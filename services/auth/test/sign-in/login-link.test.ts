import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  applicationUri,
  cookieOf,
  invalidLoginResponse,
  listAuditEvents,
  pkce,
  type RequestedLogin,
  startTestSignIn,
  type TestSignIn,
} from '../fixture/sign-in.ts'

let world: TestSignIn
beforeAll(async () => {
  world = await startTestSignIn({ REDIRECT_URIS: `${applicationUri}, com.example.app:/signed-in` })
})
afterAll(() => world.stop())

const path = '/v1/auth/login/link'
const show = (token: string, cookie?: string) =>
  world.open('GET', `${path}?token=${token}`, cookie === undefined ? {} : { cookie })
const press = (token: string, cookie?: string, headers?: Record<string, string>) =>
  world.open('POST', path, {
    form: { token },
    ...(cookie === undefined ? {} : { cookie }),
    ...(headers === undefined ? {} : { headers }),
  })

const button = '<button>Sign in</button>'
const isUsed = async ({ loginId }: RequestedLogin) => {
  const rows = await world.auth.rows<{ used: boolean }>(
    'SELECT used_at IS NOT NULL AS used FROM logins WHERE login_id = $1',
    [loginId],
  )
  return rows[0]?.used
}

describe('the page the link opens', () => {
  it('has a button in the browser that asked', async () => {
    const asked = await world.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { status, body, headers } = await show(asked.token, `other=1; ${asked.cookie}; more=2`)
    expect(status).toBe(200)
    expect(body).toContain(button)
    expect(body).toContain(`name="token" value="${asked.token}"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('runs nothing, loads nothing, and lets its form go on to the application alone', async () => {
    const asked = await world.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { body, headers } = await show(asked.token, asked.cookie)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}=';/)
    expect(policy).toContain("form-action 'self' https://app.example.com;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(body).not.toMatch(/<script|onload|onclick|http-equiv|src=|style=/)
    expect(body.match(/<form/g)).toHaveLength(1)
    const native = await world.requestLogin('owner@example.test', { redirect_uri: 'com.example.app:/signed-in' })
    expect((await show(native.token, native.cookie)).headers.get('content-security-policy')).toContain(
      "form-action 'self' com.example.app:;",
    )
  })

  it('uses nothing up, however often and by whomever it is looked at', async () => {
    const asked = await world.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    for (const method of ['GET', 'HEAD'])
      for (const cookie of [undefined, asked.cookie, 'login=login_else'])
        expect(
          (await world.open(method, `${path}?token=${asked.token}`, cookie === undefined ? {} : { cookie })).status,
        ).toBe(200)
    expect(await isUsed(asked)).toBe(false)
    expect(await world.verify({ login_id: asked.loginId, token: asked.token })).toMatchObject({ status: 200 })
  })

  it('says the same of every link to every other browser', async () => {
    const [asked, other] = await Promise.all([
      world.requestLogin('owner@example.test', { redirect_uri: applicationUri }),
      world.requestLogin('other@example.test', { redirect_uri: applicationUri }),
    ])
    const pages = await Promise.all([
      show(asked.token),
      show('made-up'),
      show(''),
      world.open('GET', path),
      show(asked.token, other.cookie),
      show('made-up', other.cookie),
      show(asked.token, 'login=login_01h455vb4pex5vsknk084sn02q'),
      // which of two is ours nobody can say
      show(asked.token, `${asked.cookie}; login=login_01h455vb4pex5vsknk084sn02q`),
      show(asked.token, `not-${asked.cookie}`),
    ])
    const said = pages.map(({ status, body, headers }) => [status, body, headers.get('content-security-policy')])
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(pages[0]?.status).toBe(200)
    expect(pages[0]?.body).not.toContain('<form')
  })

  it('lets pass what mail programs add to a link', async () => {
    const asked = await world.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { status, body } = await world.open('GET', `${path}?token=${asked.token}&utm_source=mail`, asked)
    expect([status, body.includes(button)]).toEqual([200, true])
  })

  it('sends back to where it was asked for when no application waits', async () => {
    const asked = await world.requestLogin('owner@example.test')
    const { body } = await show(asked.token, asked.cookie)
    expect(body).toContain('Go back')
    expect(body).not.toContain('<form')
    expect((await press(asked.token, asked.cookie)).body).toContain('Go back')
    expect(await isUsed(asked)).toBe(false)
  })
})

describe('its button', () => {
  it('brings the application a code for once, bound to its verifier', async () => {
    const { verifier, challenge } = pkce()
    const asked = await world.requestLogin('owner@example.test', {
      redirect_uri: applicationUri,
      code_challenge: challenge,
    })
    const { status, headers } = await press(asked.token, asked.cookie, { 'sec-fetch-site': 'same-origin' })
    const url = new URL(headers.get('location') ?? '')
    expect([status, url.origin + url.pathname]).toEqual([303, 'https://app.example.com/signed-in'])
    expect([...url.searchParams.keys()]).toEqual(['from', 'login_code'])
    expect(headers.getSetCookie()[0]).toMatch(/^login=; Max-Age=0/)
    const loginCode = url.searchParams.get('login_code')
    const good = { login_code: loginCode, code_verifier: verifier }
    expect(await world.verify(good)).toMatchObject({
      status: 200,
      body: { data: { user: { email: 'owner@example.test' } } },
    })
    expect(await world.verify(good)).toMatchObject(invalidLoginResponse)
    expect(await world.verify({ login_id: asked.loginId, token: asked.token })).toMatchObject(invalidLoginResponse)
  })

  const codeFor = async () => {
    const { verifier, challenge } = pkce()
    const asked = await world.requestLogin('owner@example.test', {
      redirect_uri: applicationUri,
      code_challenge: challenge,
    })
    const { headers } = await press(asked.token, asked.cookie)
    const loginCode = new URL(headers.get('location') ?? '').searchParams.get('login_code') ?? ''
    return { loginCode, verifier }
  }

  it('gives a code that a thief without the verifier only breaks', async () => {
    const { loginCode, verifier } = await codeFor()
    expect(await world.verify({ login_code: loginCode, code_verifier: pkce().verifier })).toMatchObject(
      invalidLoginResponse,
    )
    expect(await world.verify({ login_code: loginCode, code_verifier: verifier })).toMatchObject(invalidLoginResponse)
  })

  it('gives a code that lasts a minute, and one session to many', async () => {
    const { loginCode, verifier } = await codeFor()
    const ends = await world.auth.rows<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM login_codes ORDER BY created_at DESC LIMIT 1',
    )
    expect(ends[0]?.seconds).toBeCloseTo(60, 0)
    const exchange = () => world.verify({ login_code: loginCode, code_verifier: verifier })
    const answers = await Promise.all(Array.from({ length: 10 }, exchange))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = await codeFor()
    await world.auth.rows('UPDATE login_codes SET expires_at = now()')
    expect(await world.verify({ login_code: late.loginCode, code_verifier: late.verifier })).toMatchObject(
      invalidLoginResponse,
    )
  })

  it('does not give a code to who was disabled since', async () => {
    const { userId } = await world.auth.workspace()
    const { verifier, challenge } = pkce()
    const email = `${userId}@example.test`
    const asked = await world.requestLogin(email, { redirect_uri: applicationUri, code_challenge: challenge })
    const { headers } = await press(asked.token, asked.cookie)
    const loginCode = new URL(headers.get('location') ?? '').searchParams.get('login_code')
    await world.auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    const proof = { login_code: loginCode, code_verifier: verifier }
    expect(await world.verify(proof)).toMatchObject(invalidLoginResponse)
    expect((await listAuditEvents(world, userId)).at(-1)).toMatchObject({
      action: 'user.sign_in_failed',
      outcome: 'failure',
    })
    // and it is used up
    await world.auth.rows('UPDATE users SET disabled_at = NULL WHERE user_id = $1', [userId])
    expect(await world.verify(proof)).toMatchObject(invalidLoginResponse)
  })

  it('brings an application without PKCE the token, which opens nothing without its login_id', async () => {
    const asked = await world.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { status, headers } = await press(asked.token, asked.cookie)
    expect([status, headers.get('location')]).toEqual([303, `${applicationUri}&token=${asked.token}`])
    expect(await isUsed(asked)).toBe(false)
    expect(await world.verify({ login_id: asked.loginId, token: asked.token })).toMatchObject({ status: 200 })
  })

  it.each<[string, number, (asked: RequestedLogin, other: RequestedLogin) => ReturnType<typeof press>]>([
    ['without the cookie', 403, ({ token }) => press(token)],
    ['with the cookie of another sign-in', 400, ({ token }, { cookie }) => press(token, cookie)],
    ['with another token', 400, ({ cookie }) => press('made-up', cookie)],
    ['with none', 400, ({ cookie }) => world.open('POST', path, { cookie })],
    ['by another site', 403, ({ token, cookie }) => press(token, cookie, { 'sec-fetch-site': 'cross-site' })],
    [
      'by another host of the site',
      403,
      ({ token, cookie }) => press(token, cookie, { 'sec-fetch-site': 'same-site' }),
    ],
  ])('does nothing %s', async (_, status, pressed) => {
    const [asked, other] = await Promise.all([
      world.requestLogin('owner@example.test', { redirect_uri: applicationUri, code_challenge: pkce().challenge }),
      world.requestLogin('other@example.test', { redirect_uri: applicationUri, code_challenge: pkce().challenge }),
    ])
    const answer = await pressed(asked, other)
    expect([answer.status, answer.headers.get('location')]).toEqual([status, null])
    expect(answer.body).toContain('This did not sign you in')
    expect([await isUsed(asked), await isUsed(other)]).toEqual([false, false])
  })

  it('says when the link was used or is old', async () => {
    const asked = await world.requestLogin('owner@example.test', {
      redirect_uri: applicationUri,
      code_challenge: pkce().challenge,
    })
    const both = await Promise.all([press(asked.token, asked.cookie), press(asked.token, asked.cookie)])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
    expect((await show(asked.token, asked.cookie)).body).not.toContain(button)
  })
})

describe('the cookie', () => {
  it('is secure behind https, and says so in its name', async () => {
    const secure = await startTestSignIn({ PUBLIC_BASE_URL: 'https://api.example.com' })
    try {
      const { headers } = await secure.login({ email: 'first@example.test' })
      expect(headers.getSetCookie()[0]).toMatch(
        /^__Secure-login=login_\w+; Max-Age=600; Path=\/v1\/auth; HttpOnly; SameSite=Lax; Secure$/,
      )
      const asked = await secure.requestLogin('owner@example.test', { redirect_uri: applicationUri })
      expect(asked.cookie).toBe(`__Secure-login=${asked.loginId}`)
      const get = (cookie: string) => secure.open('GET', `${path}?token=${asked.token}`, { cookie })
      expect((await get(asked.cookie)).body).toContain(button)
      expect((await get(`login=${asked.loginId}`)).body).not.toContain(button)
      expect(cookieOf(headers)).toMatch(/^__Secure-login=/)
    } finally {
      await secure.stop()
    }
  })
})
