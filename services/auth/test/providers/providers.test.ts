import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import type { TestResponse } from '@wp/testkit'
import {
  openPendingAuthorization,
  type PendingAuthorization,
  sealPendingAuthorization,
} from '../../src/providers/pending-authorization.ts'
import { createBrowser } from '../fixture/browser.ts'
import { startGithub } from '../fixture/github.ts'
import { startOpenIdProvider } from '../fixture/openid-provider.ts'
import {
  applicationUri,
  cookieOf,
  invalidLoginResponse,
  listAuditEvents,
  pkce,
  startTestSignIn,
} from '../fixture/sign-in.ts'

const base = 'http://localhost:4000'
const names = ['google', 'github'] as const
type Name = (typeof names)[number]

const google = await startOpenIdProvider(`${base}/v1/auth/login/google/callback`)
const github = await startGithub()
const fixture = await startTestSignIn({
  GOOGLE_CLIENT_ID: google.clientId,
  GOOGLE_CLIENT_SECRET: google.clientSecret,
  GOOGLE_ISSUER: google.issuer,
  GITHUB_CLIENT_ID: github.clientId,
  GITHUB_CLIENT_SECRET: github.clientSecret,
  GITHUB_URL: github.url,
  GITHUB_API_URL: github.apiUrl,
})
afterAll(async () => {
  await fixture.stop()
  await Promise.all([google.close(), github.close()])
})

let serial = 0
let email: string
/** A new identity for each test, known to both providers. */
beforeEach(() => {
  serial += 1
  email = `person${serial}@example.test`
  setIdentity(email)
})

function setIdentity(address: string, { verified = true, id = serial } = {}): void {
  google.user = { sub: `google-${id}`, email: address, email_verified: verified }
  google.refuses = false
  github.user = {
    id,
    emails: [
      { email: 'spam@example.test', primary: false, verified: true },
      { email: address, primary: true, verified },
    ],
  }
}

const visit = (name: Name, url: string) => (name === 'google' ? google : github).visit(url)

/** Starts a login at a provider. */
async function startLogin(name: Name, change: (url: URL) => void = () => {}) {
  const { verifier, challenge } = pkce()
  const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: challenge })
  const { status, headers, body } = await fixture.open('GET', `/v1/auth/login/${name}?${query}`)
  if (status !== 302) throw new Error(`${status} ${JSON.stringify(body)}`)
  const url = new URL(headers.get('location') ?? '')
  change(url)
  return { url, verifier, cookie: cookieOf(headers), setCookie: headers.getSetCookie()[0] ?? '' }
}

/** Requests the callback URL as the browser does. */
const openCallback = (back: string, cookie?: string): Promise<TestResponse> => {
  const { pathname, search } = new URL(back)
  return fixture.open('GET', pathname + search, cookie === undefined ? {} : { cookie })
}

const parameter = ({ headers }: TestResponse, name: string) =>
  new URL(headers.get('location') ?? 'http://nowhere').searchParams.get(name)

/** Signs in with a provider up to the session. */
async function signIn(name: Name) {
  const browser = await startLogin(name)
  const response = await openCallback(await visit(name, browser.url.href), browser.cookie)
  const loginCode = parameter(response, 'login_code')
  const session = await fixture.verify({ login_code: loginCode, code_verifier: browser.verifier })
  return { response, session, loginCode, verifier: browser.verifier }
}

const identitiesOf = (address: string) =>
  fixture.auth.rows<{ issuer: string; subject: string }>(
    'SELECT issuer, subject FROM external_identities i JOIN users u USING (user_id) WHERE u.email = $1 ORDER BY issuer',
    [address],
  )

async function createUser(address: string, isVerified: boolean): Promise<string> {
  const userId = newId('usr')
  await fixture.auth.rows('INSERT INTO users (user_id, email, email_verified_at) VALUES ($1, $2, $3)', [
    userId,
    address,
    isVerified ? new Date() : null,
  ])
  return userId
}

/** Invites a user into the seeded workspace. */
const invite = (userId: string) =>
  fixture.auth.rows(
    `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, token_hash, invited_by, expires_at)
     VALUES ($1, $2, $3, 'member', $1, 'x', now() + interval '1 day')`,
    [newId('inv'), fixture.auth.seeded.workspace_id, userId],
  )

describe.each(names)('sign-in with %s', (name) => {
  it('redirects with state, PKCE challenge and a sealed cookie', async () => {
    const { url, cookie, setCookie } = await startLogin(name)
    const parameters = Object.fromEntries(url.searchParams)
    expect(parameters).toMatchObject({
      client_id: name === 'google' ? google.clientId : github.clientId,
      redirect_uri: `${base}/v1/auth/login/${name}/callback`,
      response_type: 'code',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      ...(name === 'google' ? { scope: 'openid email', nonce: expect.stringMatching(/^[\w-]{43}$/) } : {}),
    })
    expect(setCookie).toMatch(
      /^login-attempt=v1\.[\w.-]+; Max-Age=600; Path=\/v1\/auth\/login; HttpOnly; SameSite=Lax$/,
    )
    for (const secret of [parameters.state, parameters.code_challenge]) expect(cookie).not.toContain(secret)
  })

  it('creates an account, a workspace and a session for a new user, and recognizes the user later', async () => {
    const first = await signIn(name)
    expect(first.response.headers.get('location')).toMatch(
      /^https:\/\/app\.example\.com\/signed-in\?from=platform&login_code=/,
    )
    expect(first.response.headers.getSetCookie()[0]).toMatch(/^login-attempt=; Max-Age=0; Path=\/v1\/auth\/login/)
    expect(first.session).toMatchObject({ status: 200, body: { data: { user: { email } } } })
    const userId = first.session.body.data.user.user_id
    // The address changed at the provider, the subject did not.
    setIdentity(`renamed-${email}`)
    const second = await signIn(name)
    expect(second.session.body.data.user).toEqual({ user_id: userId, email })
    expect((await fixture.auth.rows('SELECT FROM memberships WHERE user_id = $1', [userId])).length).toBe(1)
    expect((await listAuditEvents(fixture, userId)).filter(({ action }) => action === 'user.signed_in')).toMatchObject([
      { changes: { method: name } },
      { changes: { method: name } },
    ])
  })

  it('returns a login code that works once with its verifier', async () => {
    const { loginCode, verifier, session } = await signIn(name)
    expect(session.status).toBe(200)
    expect(await fixture.verify({ login_code: loginCode, code_verifier: verifier })).toMatchObject(invalidLoginResponse)
  })

  it('links an existing account when both sides have verified the address', async () => {
    const userId = await createUser(email, true)
    const { session } = await signIn(name)
    expect(session.body.data.user.user_id).toBe(userId)
    expect(await identitiesOf(email)).toEqual([
      name === 'google'
        ? { issuer: google.issuer, subject: `google-${serial}` }
        : { issuer: github.url, subject: String(serial) },
    ])
    expect((await listAuditEvents(fixture, userId)).map(({ action }) => action)).toContain('user.identity_linked')
  })

  it('signs up an address that has only a pending invitation, which stays pending', async () => {
    const userId = await createUser(email, false)
    await invite(userId)
    const { session } = await signIn(name)
    expect(session).toMatchObject({ status: 200, body: { data: { user: { user_id: userId, email } } } })
    expect(await identitiesOf(email)).toHaveLength(1)
    expect(await fixture.auth.rows('SELECT built_in_role FROM memberships WHERE user_id = $1', [userId])).toEqual([
      { builtInRole: 'owner' },
    ])
    expect(await fixture.auth.rows('SELECT FROM invitations WHERE user_id = $1', [userId])).toHaveLength(1)
  })

  it('rejects an existing member whose address is unverified', async () => {
    const userId = await createUser(email, false)
    await fixture.auth.rows(
      `INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'member')`,
      [fixture.auth.seeded.workspace_id, userId],
    )
    const { response } = await signIn(name)
    expect([parameter(response, 'error'), parameter(response, 'login_code')]).toEqual(['account_exists', null])
    expect(await identitiesOf(email)).toEqual([])
  })

  it('rejects an address the provider has not verified', async () => {
    await createUser(email, true)
    setIdentity(email, { verified: false })
    expect(parameter((await signIn(name)).response, 'error')).toBe('email_unverified')
    setIdentity(`new-${email}`, { verified: false })
    expect(parameter((await signIn(name)).response, 'error')).toBe('email_unverified')
    expect(await fixture.auth.rows('SELECT FROM users WHERE email = $1', [`new-${email}`])).toEqual([])
  })

  it('rejects an address that lower case turns into another', async () => {
    await createUser(`k${email}`, true)
    setIdentity(`\u212a${email}`) // KELVIN SIGN
    expect(parameter((await signIn(name)).response, 'error')).toBe('email_unverified')
    expect(await identitiesOf(`k${email}`)).toEqual([])
  })

  it('rejects a disabled user', async () => {
    await signIn(name)
    await fixture.auth.rows('UPDATE users SET disabled_at = now() WHERE email = $1', [email])
    expect(parameter((await signIn(name)).response, 'error')).toBe('access_denied')
  })

  it('completes in two tabs of one browser, in either order', async () => {
    const browser = createBrowser((method, path, options) => fixture.open(method, path, options))
    const tabs = [pkce(), pkce()]
    const started = await Array.fromAsync(tabs, ({ challenge }) => {
      const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: challenge })
      return browser.open(`/v1/auth/login/${name}?${query}`)
    })
    for (const index of [0, 1]) {
      const returned = await browser.open(await visit(name, started[index]?.headers.get('location') ?? ''))
      const body = { login_code: parameter(returned, 'login_code'), code_verifier: tabs[index]?.verifier }
      expect(await fixture.verify(body)).toMatchObject({ status: 200 })
    }
    expect([...browser.cookies.keys()].filter((cookie) => cookie.startsWith('login-attempt'))).toEqual([])
  })

  it('completes in two tabs when the browser keeps the verifiers', async () => {
    const browser = createBrowser((method, path, options) => fixture.open(method, path, options))
    const started = [await browser.open(`/v1/auth/login/${name}`), await browser.open(`/v1/auth/login/${name}`)]
    const returned = await Array.fromAsync(started, async ({ headers }) =>
      browser.open(await visit(name, headers.get('location') ?? '')),
    )
    for (const response of returned.toReversed()) {
      const cookie = [...browser.cookies].filter(([key]) => key.startsWith('login-verifier'))
      const verified = await fixture.open('POST', '/v1/auth/verify', {
        body: { login_code: parameter(response, 'login_code') },
        cookie: cookie.map(([key, { value }]) => `${key}=${value}`).join('; '),
      })
      expect(verified.status).toBe(200)
    }
  })

  it('creates one account when sign-ins of one identity are concurrent', async () => {
    const all = await Promise.all([signIn(name), signIn(name), signIn(name)])
    const users = new Set(all.map(({ session }) => session.body.data.user.user_id))
    expect(users.size).toBe(1)
    expect(await identitiesOf(email)).toHaveLength(1)
  })

  it.each<[string, (browser: { cookie: string; back: string }) => Promise<[string, string | undefined]>]>([
    ['a browser without a cookie', async ({ back }) => [back, undefined]],
    ['another browser', async ({ back }) => [back, (await startLogin(name)).cookie]],
    ['a made-up cookie', async ({ back }) => [back, 'login-attempt=v1.00000000.AAAA']],
    ['a changed state', async ({ back, cookie }) => [withParameter(back, 'state', 'x'.repeat(43)), cookie]],
    ['no state', async ({ back, cookie }) => [withParameter(back, 'state', ''), cookie]],
    ['the other provider', async ({ back, cookie }) => [back.replace(`/${name}/`, `/${other(name)}/`), cookie]],
    ['an old attempt', async ({ back, cookie }) => [back, expiredCookie(cookie, back)]],
  ])('rejects the callback for %s', async (_, arrange) => {
    const browser = await startLogin(name)
    const back = await visit(name, browser.url.href)
    const [to, cookie] = await arrange({ cookie: browser.cookie, back })
    const { status, headers, body } = await openCallback(to, cookie)
    expect([status, headers.get('location')]).toEqual([400, null])
    expect(body).toContain('does not belong to a sign-in of this browser')
    // The callback of the right browser still succeeds.
    expect(parameter(await openCallback(back, browser.cookie), 'login_code')).not.toBeNull()
  })

  it('accepts a callback once when repeated concurrently', async () => {
    const browser = await startLogin(name)
    const back = await visit(name, browser.url.href)
    const responses = await Promise.all(Array.from({ length: 5 }, () => openCallback(back, browser.cookie)))
    expect(responses.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400])
  })

  it('fails when the code belongs to another browser', async () => {
    const [mine, theirs] = [await startLogin(name), await startLogin(name)]
    const stolen = new URL(await visit(name, theirs.url.href)).searchParams.get('code') ?? ''
    const back = await visit(name, mine.url.href)
    const response = await openCallback(withParameter(back, 'code', stolen), mine.cookie)
    expect([response.status, parameter(response, 'error')]).toEqual([302, 'provider_failed'])
  })

  it('passes access_denied to the application', async () => {
    const browser = await startLogin(name)
    const state = browser.url.searchParams.get('state') ?? ''
    const back = `${base}/v1/auth/login/${name}/callback?error=access_denied&error_uri=x&state=${state}`
    expect(parameter(await openCallback(back, browser.cookie), 'error')).toBe('access_denied')
  })

  it('ignores additional parameters of the provider', async () => {
    const browser = await startLogin(name)
    const back = await visit(name, browser.url.href)
    const response = await openCallback(`${back}&authuser=0&prompt=none&hd=example.test`, browser.cookie)
    expect(parameter(response, 'login_code')).not.toBeNull()
  })

  it.each([
    ['redirect_uri', { redirect_uri: 'https://evil.example/' }],
    ['redirect_uri', { redirect_uri: `${applicationUri}#` }],
    ['code_challenge', { code_challenge: 'short' }],
    ['code_challenge', { code_challenge: '' }],
    ['prompt', { prompt: 'none' }],
  ])('rejects an invalid %s: %j', async (field, change) => {
    const given = { redirect_uri: applicationUri, code_challenge: pkce().challenge, ...change }
    const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
    const { status, body } = await fixture.open('GET', `/v1/auth/login/${name}?${query}`)
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: `?${field}` })]])
  })
})

describe('sign-in with Google', () => {
  it('rejects an ID token with another nonce', async () => {
    const browser = await startLogin('google', (url) => url.searchParams.set('nonce', 'another'))
    const response = await openCallback(await google.visit(browser.url.href), browser.cookie)
    expect(parameter(response, 'error')).toBe('provider_failed')
  })

  it('rejects a subject that is longer than OpenID Connect allows', async () => {
    google.user = { ...google.user, sub: 'x'.repeat(256) }
    const browser = await startLogin('google')
    const response = await openCallback(await google.visit(browser.url.href), browser.cookie)
    expect(parameter(response, 'error')).toBe('provider_failed')
  })

  it('rejects a response with another issuer', async () => {
    const browser = await startLogin('google')
    const back = await google.visit(browser.url.href)
    expect(new URL(back).searchParams.get('iss')).toBe(google.issuer)
    const response = await openCallback(withParameter(back, 'iss', 'https://evil.example'), browser.cookie)
    expect(parameter(response, 'error')).toBe('provider_failed')
  })

  it('passes a refusal at the provider to the application', async () => {
    google.refuses = true
    const browser = await startLogin('google')
    const response = await openCallback(await google.visit(browser.url.href), browser.cookie)
    expect(parameter(response, 'error')).toBe('access_denied')
  })
})

describe('a login with a provider', () => {
  it('is rejected without code_challenge', async () => {
    const query = new URLSearchParams({ redirect_uri: applicationUri })
    const rejected = await fixture.open('GET', `/v1/auth/login/google?${query}`)
    expect(rejected).toMatchObject({ status: 400, body: { errors: [{ pointer: '?code_challenge' }] } })
  })

  it('works without parameters: the browser keeps the verifier of the login code in a cookie', async () => {
    for (const name of names) {
      const browser = createBrowser((method, path, options) => fixture.open(method, path, options))
      const started = await browser.open(`/v1/auth/login/${name}`)
      expect([started.status, started.body]).toEqual([302, ''])
      const verifier = browser.cookies.get('login-verifier')
      expect(verifier).toEqual({ value: expect.stringMatching(/^[\w-]{43}$/), path: '/v1/auth/verify' })
      const returned = await browser.open(await visit(name, started.headers.get('location') ?? ''))
      const redirect = new URL(returned.headers.get('location') ?? '')
      expect(redirect.href).toContain(applicationUri)
      expect(redirect.href).not.toContain(verifier?.value)
      const body = { login_code: redirect.searchParams.get('login_code') }
      const stolen = await fixture.verify(body)
      expect(stolen).toMatchObject({ status: 400, body: { errors: [{ pointer: '/code_verifier' }] } })
      const cookie = `login-verifier=${verifier?.value}`
      const foreign = { body, cookie, headers: { 'sec-fetch-site': 'same-site' } }
      expect((await fixture.open('POST', '/v1/auth/verify', foreign)).status).toBe(400)
      const verified = await fixture.open('POST', '/v1/auth/verify', { body, cookie })
      expect(verified).toMatchObject({ status: 200, body: { data: { user: { email } } } })
      expect(verified.headers.getSetCookie().join()).toContain('login-verifier=; Max-Age=0')
    }
  })

  it('returns to the start page when no redirect URI is configured', async () => {
    const env = { GITHUB_CLIENT_ID: github.clientId, GITHUB_CLIENT_SECRET: github.clientSecret, REDIRECT_URIS: '' }
    const bare = await startTestSignIn({ ...env, GITHUB_URL: github.url, GITHUB_API_URL: github.apiUrl })
    try {
      const browser = createBrowser((method, path, options) => bare.open(method, path, options))
      const started = await browser.open('/v1/auth/login/github')
      const returned = await browser.open(await visit('github', started.headers.get('location') ?? ''))
      expect(returned.headers.get('location')).toMatch(/^http:\/\/localhost:4000\/\?login_code=wplc_/)
    } finally {
      await bare.stop()
    }
  })

  it('returns a signed-in browser to the authorization it came from', async () => {
    for (const name of names) {
      const browser = createBrowser((method, path, options) => fixture.open(method, path, options))
      const authorization = new URLSearchParams({ client_id: 'https://client.example/c.json', state: '//evil.example' })
      const query = new URLSearchParams({ authorization: authorization.toString() })
      const started = await browser.open(`/v1/auth/login/${name}?${query}`)
      const returned = await browser.open(await visit(name, started.headers.get('location') ?? ''))
      expect(returned.headers.get('location')).toBe(`${base}/v1/auth/authorize?${authorization}`)
      expect(browser.cookies.get('browser-session')?.path).toBe('/v1/auth/authorize')
      const events = await listAuditEvents(fixture, 'user.signed_in')
      expect(events.at(-1)).toMatchObject({ changes: { method: name } })
    }
  })

  it('shows a page when the provider does not sign the user in for an authorization', async () => {
    setIdentity(email, { verified: false, id: 90_000 + serial })
    const browser = createBrowser((method, path, options) => fixture.open(method, path, options))
    const started = await browser.open('/v1/auth/login/github?authorization=state%3Dx')
    const returned = await browser.open(await visit('github', started.headers.get('location') ?? ''))
    expect([returned.status, returned.body]).toEqual([403, expect.stringContaining('Sign-in failed')])
    expect(browser.cookies.has('browser-session')).toBe(false)
  })

  it('uses the first configured redirect URI when the request names none', async () => {
    const started = await fixture.open('GET', `/v1/auth/login/google?code_challenge=${pkce().challenge}`)
    expect(started.status).toBe(302)
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state')
    const denied = await fixture.open('GET', `/v1/auth/login/google/callback?state=${state}&error=access_denied`, {
      cookie: cookieOf(started.headers),
    })
    expect(denied.headers.get('location')).toMatch(applicationUri)
  })

  it('returns provider_not_configured when the provider is not configured', async () => {
    const bare = await startTestSignIn()
    try {
      for (const name of names) {
        const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: pkce().challenge })
        const login = `/v1/auth/login/${name}`
        for (const path of [login, `${login}?${query}`])
          expect(await bare.open('GET', path)).toMatchObject({ status: 404, body: { code: 'provider_not_configured' } })
        const callback = await bare.open('GET', `${login}/callback?code=x&state=x`)
        expect(callback).toMatchObject({ status: 404, body: expect.stringContaining('The page does not exist') })
      }
    } finally {
      await bare.stop()
    }
  })

  it('returns 502 when the provider is unavailable and recovers with it', async () => {
    const callback = `${base}/v1/auth/login/google/callback`
    const away = await startOpenIdProvider(callback)
    await away.close()
    const env = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'x', GOOGLE_ISSUER: away.issuer, SIGNUP: 'closed' }
    const unavailableSetup = await startTestSignIn(env)
    try {
      const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: pkce().challenge })
      const begun = () => unavailableSetup.open('GET', `/v1/auth/login/google?${query}`)
      expect(await begun()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
      const back = await startOpenIdProvider(callback, Number(new URL(away.issuer).port))
      const begunAgain = await begun()
      await back.close()
      expect(begunAgain.status).toBe(302)
    } finally {
      await unavailableSetup.stop()
    }
  })
})

const other = (name: Name): Name => (name === 'google' ? 'github' : 'google')

function withParameter(url: string, name: string, value: string): string {
  const next = new URL(url)
  next.searchParams.set(name, value)
  return next.href
}

/** Returns the cookie of the same authorization request with an earlier expiry. */
function expiredCookie(cookie: string, back: string): string {
  const { sealer } = fixture.auth.context
  const sealed = cookie.slice('login-attempt='.length)
  const state = new URL(back).searchParams.get('state') ?? ''
  const provider = back.includes('/google/') ? 'google' : 'github'
  const authorization: PendingAuthorization | undefined = openPendingAuthorization(sealer, sealed, {
    provider,
    state,
    now: 0,
  })
  if (authorization === undefined) throw new Error('the cookie does not open')
  return `login-attempt=${sealPendingAuthorization(sealer, { ...authorization, endsAt: Date.now() })}`
}
