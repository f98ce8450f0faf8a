import { afterAll, describe, expect, it } from '@jest/globals'
import { readLoginIds } from '../../src/sign-in/cookies.ts'
import {
  applicationUri,
  cookieOf,
  invalidLoginResponse,
  isAlert,
  listAuditEvents,
  pkce,
  type RequestedLogin,
  startTestSignIn,
} from '../fixture/sign-in.ts'

const fixture = await startTestSignIn({ REDIRECT_URIS: `${applicationUri}, com.example.app:/signed-in` })
afterAll(() => fixture.stop())

const path = '/v1/auth/login/link'
const show = (token: string, cookie?: string) =>
  fixture.open('GET', `${path}?token=${token}`, cookie === undefined ? {} : { cookie })
const press = (token: string, cookie?: string, headers?: Record<string, string>) =>
  fixture.open('POST', path, {
    form: { token },
    ...(cookie === undefined ? {} : { cookie }),
    ...(headers === undefined ? {} : { headers }),
  })

const button = '<button>Sign in</button>'
const isUsed = async ({ loginId }: RequestedLogin) => {
  const rows = await fixture.auth.rows<{ used: boolean }>(
    'SELECT used_at IS NOT NULL AS used FROM logins WHERE login_id = $1',
    [loginId],
  )
  return rows[0]?.used
}

describe('the page of a login link', () => {
  it('has a button in the browser that started the sign-in', async () => {
    const requested = await fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { status, body, headers } = await show(requested.token, `other=1; ${requested.cookie}; more=2`)
    expect(status).toBe(200)
    expect(body).toContain(button)
    expect(body).toContain(`name="token" value="${requested.token}"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('has no script, no external resources and a strict form-action', async () => {
    const requested = await fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { body, headers } = await show(requested.token, requested.cookie)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}=';/)
    expect(policy).toContain("form-action 'self' https://app.example.com;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(body).not.toMatch(/<script|onload|onclick|http-equiv|src=|style=/)
    expect(body.match(/<form/g)).toHaveLength(1)
    const native = await fixture.requestLogin('owner@example.test', { redirect_uri: 'com.example.app:/signed-in' })
    expect((await show(native.token, native.cookie)).headers.get('content-security-policy')).toContain(
      "form-action 'self' com.example.app:;",
    )
  })

  it('changes nothing when opened repeatedly by any browser', async () => {
    const requested = await fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    for (const method of ['GET', 'HEAD'])
      for (const cookie of [undefined, requested.cookie, 'login_else=1'])
        expect(
          (await fixture.open(method, `${path}?token=${requested.token}`, cookie === undefined ? {} : { cookie }))
            .status,
        ).toBe(200)
    expect(await isUsed(requested)).toBe(false)
    expect(await fixture.verify({ login_id: requested.loginId, token: requested.token })).toMatchObject({ status: 200 })
  })

  it('is the same for every link in every other browser', async () => {
    const [requested, other] = await Promise.all([
      fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri }),
      fixture.requestLogin('other@example.test', { redirect_uri: applicationUri }),
    ])
    const pages = await Promise.all([
      show(requested.token),
      show('made-up'),
      show(''),
      fixture.open('GET', path),
      show(requested.token, other.cookie),
      show('made-up', other.cookie),
      show(requested.token, 'login_01h455vb4pex5vsknk084sn02q=1'),
      // With two cookies of that name, one may be forged.
      show(requested.token, `${requested.cookie}; ${requested.cookie}`),
      show(requested.token, `not-${requested.cookie}`),
    ])
    const bodies = pages.map(({ status, body, headers }) => [status, body, headers.get('content-security-policy')])
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(pages[0]?.status).toBe(200)
    expect(pages[0]?.body).not.toContain('<form')
  })

  it('ignores parameters that mail programs add', async () => {
    const requested = await fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { status, body } = await fixture.open('GET', `${path}?token=${requested.token}&utm_source=mail`, requested)
    expect([status, body.includes(button)]).toEqual([200, true])
  })

  it('asks to go back to the application when the login has no redirect URI', async () => {
    const requested = await fixture.requestLogin('owner@example.test')
    const { body } = await show(requested.token, requested.cookie)
    expect(body).toContain('Go back')
    expect(body).not.toContain('<form')
    expect((await press(requested.token, requested.cookie)).body).toContain('Go back')
    expect(await isUsed(requested)).toBe(false)
  })
})

describe('the button of a login link', () => {
  it('redirects with a login code that works once with its verifier', async () => {
    const { verifier, challenge } = pkce()
    const requested = await fixture.requestLogin('owner@example.test', {
      redirect_uri: applicationUri,
      code_challenge: challenge,
    })
    const { status, headers } = await press(requested.token, requested.cookie, { 'sec-fetch-site': 'same-origin' })
    const url = new URL(headers.get('location') ?? '')
    expect([status, url.origin + url.pathname]).toEqual([303, 'https://app.example.com/signed-in'])
    expect([...url.searchParams.keys()]).toEqual(['from', 'login_code'])
    expect(headers.getSetCookie()[0]).toMatch(/^login_\w{26}=; Max-Age=0/)
    const loginCode = url.searchParams.get('login_code')
    const good = { login_code: loginCode, code_verifier: verifier }
    expect(await fixture.verify(good)).toMatchObject({
      status: 200,
      body: { data: { user: { email: 'owner@example.test' } } },
    })
    expect(await fixture.verify(good)).toMatchObject(invalidLoginResponse)
    expect(await fixture.verify({ login_id: requested.loginId, token: requested.token })).toMatchObject(
      invalidLoginResponse,
    )
  })

  const codeFor = async () => {
    const { verifier, challenge } = pkce()
    const requested = await fixture.requestLogin('owner@example.test', {
      redirect_uri: applicationUri,
      code_challenge: challenge,
    })
    const { headers } = await press(requested.token, requested.cookie)
    const loginCode = new URL(headers.get('location') ?? '').searchParams.get('login_code') ?? ''
    return { loginCode, verifier }
  }

  it('invalidates the login code when the verifier is wrong', async () => {
    const { loginCode, verifier } = await codeFor()
    expect(await fixture.verify({ login_code: loginCode, code_verifier: pkce().verifier })).toMatchObject(
      invalidLoginResponse,
    )
    expect(await fixture.verify({ login_code: loginCode, code_verifier: verifier })).toMatchObject(invalidLoginResponse)
  })

  it('returns a login code that expires after a minute and starts one session', async () => {
    const { loginCode, verifier } = await codeFor()
    const ends = await fixture.auth.rows<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM login_codes ORDER BY created_at DESC LIMIT 1',
    )
    expect(ends[0]?.seconds).toBeCloseTo(60, 0)
    const exchange = () => fixture.verify({ login_code: loginCode, code_verifier: verifier })
    const responses = await Promise.all(Array.from({ length: 10 }, exchange))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = await codeFor()
    await fixture.auth.rows('UPDATE login_codes SET expires_at = now()')
    expect(await fixture.verify({ login_code: late.loginCode, code_verifier: late.verifier })).toMatchObject(
      invalidLoginResponse,
    )
  })

  it('rejects the login code when the user was disabled since', async () => {
    const { userId } = await fixture.auth.workspace()
    const { verifier, challenge } = pkce()
    const email = `${userId}@example.test`
    const requested = await fixture.requestLogin(email, { redirect_uri: applicationUri, code_challenge: challenge })
    const { headers } = await press(requested.token, requested.cookie)
    const loginCode = new URL(headers.get('location') ?? '').searchParams.get('login_code')
    await fixture.auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    const proof = { login_code: loginCode, code_verifier: verifier }
    expect(await fixture.verify(proof)).toMatchObject(invalidLoginResponse)
    expect((await listAuditEvents(fixture, userId)).at(-1)).toMatchObject({
      action: 'user.sign_in_failed',
      outcome: 'failure',
    })
    // The rejected code was invalidated.
    await fixture.auth.rows('UPDATE users SET disabled_at = NULL WHERE user_id = $1', [userId])
    expect(await fixture.verify(proof)).toMatchObject(invalidLoginResponse)
  })

  it('redirects with the link token when the application uses no PKCE', async () => {
    const requested = await fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri })
    const { status, headers } = await press(requested.token, requested.cookie)
    expect([status, headers.get('location')]).toEqual([303, `${applicationUri}&token=${requested.token}`])
    expect(await isUsed(requested)).toBe(false)
    expect(await fixture.verify({ login_id: requested.loginId, token: requested.token })).toMatchObject({ status: 200 })
  })

  it.each<[string, number, (requested: RequestedLogin, other: RequestedLogin) => ReturnType<typeof press>]>([
    ['without the cookie', 403, ({ token }) => press(token)],
    ['with the cookie of another sign-in', 400, ({ token }, { cookie }) => press(token, cookie)],
    ['with another token', 400, ({ cookie }) => press('made-up', cookie)],
    ['without a token', 400, ({ cookie }) => fixture.open('POST', path, { cookie })],
    ['by another site', 403, ({ token, cookie }) => press(token, cookie, { 'sec-fetch-site': 'cross-site' })],
    [
      'by another host of the site',
      403,
      ({ token, cookie }) => press(token, cookie, { 'sec-fetch-site': 'same-site' }),
    ],
  ])('is rejected %s', async (_, status, pressed) => {
    const [requested, other] = await Promise.all([
      fixture.requestLogin('owner@example.test', { redirect_uri: applicationUri, code_challenge: pkce().challenge }),
      fixture.requestLogin('other@example.test', { redirect_uri: applicationUri, code_challenge: pkce().challenge }),
    ])
    const response = await pressed(requested, other)
    expect([response.status, response.headers.get('location')]).toEqual([status, null])
    expect(response.body).toContain('Sign-in failed')
    expect([await isUsed(requested), await isUsed(other)]).toEqual([false, false])
  })

  it('is rejected when the link was used', async () => {
    const requested = await fixture.requestLogin('owner@example.test', {
      redirect_uri: applicationUri,
      code_challenge: pkce().challenge,
    })
    const both = await Promise.all([press(requested.token, requested.cookie), press(requested.token, requested.cookie)])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
    expect((await show(requested.token, requested.cookie)).body).not.toContain(button)
  })
})

describe('two sign-in mails in one browser', () => {
  /** Each test has an address of its own, because mails to one address are limited. */
  const requestBoth = async (email: string, more: Record<string, unknown> = {}) => {
    const older = await fixture.requestLogin(email, { redirect_uri: applicationUri, ...more })
    const known = new Set(fixture.mailbox.mails)
    const body = { email, redirect_uri: applicationUri, ...more }
    // The console starts a login without the browser's cookies of auth.
    const { headers } = await fixture.open('POST', '/v1/auth/login', { body })
    const mail = await fixture.mailbox.waitFor((one) => !known.has(one) && one.to === email && !isAlert(one))
    return {
      older,
      newer: new URL(mail.link ?? '').searchParams.get('token') ?? '',
      cookie: `${older.cookie}; ${cookieOf(headers)}`,
    }
  }

  it('both have a button, and the older one signs in', async () => {
    const { older, newer, cookie } = await requestBoth('two-mails@example.test')
    for (const token of [older.token, newer]) expect((await show(token, cookie)).body).toContain(button)
    const { status, headers } = await press(older.token, cookie)
    expect([status, headers.get('location')]).toEqual([303, `${applicationUri}&token=${older.token}`])
  })

  it('both sign in one after the other when the application uses PKCE', async () => {
    const { older, newer, cookie } = await requestBoth('two-codes@example.test', { code_challenge: pkce().challenge })
    const first = await press(older.token, cookie)
    const second = await press(newer, cookie)
    for (const { headers } of [first, second])
      expect(new URL(headers.get('location') ?? '').searchParams.get('login_code')).toMatch(/^wplc_/)
    expect(first.headers.getSetCookie()[0]).toMatch(new RegExp(`^${older.loginId}=; Max-Age=0`))
    expect((await press(older.token, cookie)).status).toBe(400)
  })

  it('are read newest first, at most twenty', () => {
    const ids = Array.from({ length: 22 }, (_, n) => `login_${String(n).padStart(26, '0')}`)
    expect(readLoginIds('http://127.0.0.1', ids.join('=1; ').concat('=1'))).toEqual(ids.reverse().slice(0, 20))
  })
})

describe('the login cookie', () => {
  it('is secure and has the prefix __Secure- with https', async () => {
    const secure = await startTestSignIn({ PUBLIC_BASE_URL: 'https://api.example.com' })
    try {
      const { headers } = await secure.login({ email: 'first@example.test' })
      expect(headers.getSetCookie()[0]).toMatch(
        /^__Secure-login_\w{26}=1; Max-Age=600; Path=\/v1\/auth; HttpOnly; SameSite=Lax; Secure$/,
      )
      const requested = await secure.requestLogin('owner@example.test', { redirect_uri: applicationUri })
      expect(requested.cookie).toBe(`__Secure-${requested.loginId}=1`)
      const get = (cookie: string) => secure.open('GET', `${path}?token=${requested.token}`, { cookie })
      expect((await get(requested.cookie)).body).toContain(button)
      expect((await get(`${requested.loginId}=1`)).body).not.toContain(button)
      expect(cookieOf(headers)).toMatch(/^__Secure-login_/)
    } finally {
      await secure.stop()
    }
  })
})
