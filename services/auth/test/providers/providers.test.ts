import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import type { TestResponse } from '@wp/testkit'
import {
  openPendingAuthorization,
  type PendingAuthorization,
  sealPendingAuthorization,
} from '../../src/providers/pending-authorization.ts'
import { startGithub, type TestGithub } from '../fixture/github.ts'
import { startOpenIdProvider, type TestOpenIdProvider } from '../fixture/openid-provider.ts'
import {
  applicationUri,
  cookieOf,
  invalidLoginResponse,
  listAuditEvents,
  pkce,
  startTestSignIn,
  type TestSignIn,
} from '../fixture/sign-in.ts'

const base = 'http://localhost:4000'
const names = ['google', 'github'] as const
type Name = (typeof names)[number]

let google: TestOpenIdProvider
let github: TestGithub
let world: TestSignIn
beforeAll(async () => {
  google = await startOpenIdProvider(`${base}/v1/auth/login/google/callback`)
  github = await startGithub()
  world = await startTestSignIn({
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GOOGLE_ISSUER: google.issuer,
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.apiUrl,
  })
})
afterAll(async () => {
  await world.stop()
  await Promise.all([google.close(), github.close()])
})

let serial = 0
let email: string
/** Another person each time, whom both providers know. */
beforeEach(() => {
  serial += 1
  email = `person${serial}@example.test`
  is(email)
})

function is(address: string, { verified = true, id = serial } = {}): void {
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

/** A browser that was sent to a provider. */
async function begin(name: Name, change: (url: URL) => void = () => {}) {
  const { verifier, challenge } = pkce()
  const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: challenge })
  const { status, headers, body } = await world.open('GET', `/v1/auth/login/${name}?${query}`)
  if (status !== 302) throw new Error(`${status} ${JSON.stringify(body)}`)
  const url = new URL(headers.get('location') ?? '')
  change(url)
  return { url, verifier, cookie: cookieOf(headers), setCookie: headers.getSetCookie()[0] ?? '' }
}

/** The browser comes back to us. */
const comeBack = (back: string, cookie?: string): Promise<TestResponse> => {
  const { pathname, search } = new URL(back)
  return world.open('GET', pathname + search, cookie === undefined ? {} : { cookie })
}

const parameter = ({ headers }: TestResponse, name: string) =>
  new URL(headers.get('location') ?? 'http://nowhere').searchParams.get(name)

/** All the way, to the session. */
async function signIn(name: Name) {
  const browser = await begin(name)
  const answer = await comeBack(await visit(name, browser.url.href), browser.cookie)
  const loginCode = parameter(answer, 'login_code')
  const session = await world.verify({ login_code: loginCode, code_verifier: browser.verifier })
  return { answer, session, loginCode, verifier: browser.verifier }
}

const identitiesOf = (address: string) =>
  world.auth.rows<{ issuer: string; subject: string }>(
    'SELECT issuer, subject FROM external_identities i JOIN users u USING (user_id) WHERE u.email = $1 ORDER BY issuer',
    [address],
  )

async function person(address: string, isVerified: boolean): Promise<string> {
  const userId = newId('usr')
  await world.auth.rows('INSERT INTO users (user_id, email, email_verified_at) VALUES ($1, $2, $3)', [
    userId,
    address,
    isVerified ? new Date() : null,
  ])
  return userId
}

describe.each(names)('with %s', (name) => {
  it('the browser is sent away with what ties its coming back to it', async () => {
    const { url, cookie, setCookie } = await begin(name)
    const asked = Object.fromEntries(url.searchParams)
    expect(asked).toMatchObject({
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
    for (const secret of [asked.state, asked.code_challenge]) expect(cookie).not.toContain(secret)
  })

  it('somebody new gets an account, a workspace and a session; and is known again', async () => {
    const first = await signIn(name)
    expect(first.answer.headers.get('location')).toMatch(
      /^https:\/\/app\.example\.com\/signed-in\?from=platform&login_code=/,
    )
    expect(first.answer.headers.getSetCookie()[0]).toMatch(/^login-attempt=; Max-Age=0; Path=\/v1\/auth\/login/)
    expect(first.session).toMatchObject({ status: 200, body: { data: { user: { email } } } })
    const userId = first.session.body.data.user.user_id
    // the address changed at the provider: who they are did not
    is(`renamed-${email}`)
    const second = await signIn(name)
    expect(second.session.body.data.user).toEqual({ user_id: userId, email })
    expect((await world.auth.rows('SELECT FROM memberships WHERE user_id = $1', [userId])).length).toBe(1)
    expect((await listAuditEvents(world, userId)).filter(({ action }) => action === 'user.signed_in')).toMatchObject([
      { changes: { method: name } },
      { changes: { method: name } },
    ])
  })

  it('the code it brings is for once, and for who holds the verifier', async () => {
    const { loginCode, verifier, session } = await signIn(name)
    expect(session.status).toBe(200)
    expect(await world.verify({ login_code: loginCode, code_verifier: verifier })).toMatchObject(invalidLoginResponse)
  })

  it('an account whose address both sides have verified is the same account', async () => {
    const userId = await person(email, true)
    const { session } = await signIn(name)
    expect(session.body.data.user.user_id).toBe(userId)
    expect(await identitiesOf(email)).toEqual([
      name === 'google'
        ? { issuer: google.issuer, subject: `google-${serial}` }
        : { issuer: github.url, subject: String(serial) },
    ])
    expect((await listAuditEvents(world, userId)).map(({ action }) => action)).toContain('user.identity_linked')
  })

  it('an account whose address was never shown to be theirs is not taken over', async () => {
    await person(email, false)
    const { answer } = await signIn(name)
    expect([parameter(answer, 'error'), parameter(answer, 'login_code')]).toEqual(['account_exists', null])
    expect(await identitiesOf(email)).toEqual([])
  })

  it('an address the provider has not verified is none', async () => {
    await person(email, true)
    is(email, { verified: false })
    expect(parameter((await signIn(name)).answer, 'error')).toBe('email_unverified')
    is(`new-${email}`, { verified: false })
    expect(parameter((await signIn(name)).answer, 'error')).toBe('email_unverified')
    expect(await world.auth.rows('SELECT FROM users WHERE email = $1', [`new-${email}`])).toEqual([])
  })

  it('an address that lower case makes another’s is none', async () => {
    await person(`k${email}`, true)
    is(`\u212a${email}`) // KELVIN SIGN
    expect(parameter((await signIn(name)).answer, 'error')).toBe('email_unverified')
    expect(await identitiesOf(`k${email}`)).toEqual([])
  })

  it('who is disabled stays out', async () => {
    await signIn(name)
    await world.auth.rows('UPDATE users SET disabled_at = now() WHERE email = $1', [email])
    expect(parameter((await signIn(name)).answer, 'error')).toBe('access_denied')
  })

  it('the same person at once in several browsers is one account', async () => {
    const all = await Promise.all([signIn(name), signIn(name), signIn(name)])
    const users = new Set(all.map(({ session }) => session.body.data.user.user_id))
    expect(users.size).toBe(1)
    expect(await identitiesOf(email)).toHaveLength(1)
  })

  it.each<[string, (browser: { cookie: string; back: string }) => Promise<[string, string | undefined]>]>([
    ['no browser of ours', async ({ back }) => [back, undefined]],
    ['another browser', async ({ back }) => [back, (await begin(name)).cookie]],
    ['a made-up cookie', async ({ back }) => [back, 'login-attempt=v1.00000000.AAAA']],
    ['a changed state', async ({ back, cookie }) => [changed(back, 'state', 'x'.repeat(43)), cookie]],
    ['no state', async ({ back, cookie }) => [changed(back, 'state', ''), cookie]],
    ['the other provider', async ({ back, cookie }) => [back.replace(`/${name}/`, `/${other(name)}/`), cookie]],
    ['an old attempt', async ({ back, cookie }) => [back, aged(cookie, back)]],
  ])('what comes back to %s is refused', async (_, arrange) => {
    const browser = await begin(name)
    const back = await visit(name, browser.url.href)
    const [to, cookie] = await arrange({ cookie: browser.cookie, back })
    const { status, headers, body } = await comeBack(to, cookie)
    expect([status, headers.get('location')]).toEqual([400, null])
    expect(body).toContain('does not belong to a sign-in of this browser')
    // and nothing was lost for the browser it belongs to
    expect(parameter(await comeBack(back, browser.cookie), 'login_code')).not.toBeNull()
  })

  it('what came back once does not come back again', async () => {
    const browser = await begin(name)
    const back = await visit(name, browser.url.href)
    const answers = await Promise.all(Array.from({ length: 5 }, () => comeBack(back, browser.cookie)))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400])
  })

  it('a code of somebody else’s browser is refused by the provider', async () => {
    const [mine, theirs] = [await begin(name), await begin(name)]
    const stolen = new URL(await visit(name, theirs.url.href)).searchParams.get('code') ?? ''
    const back = await visit(name, mine.url.href)
    const answer = await comeBack(changed(back, 'code', stolen), mine.cookie)
    expect([answer.status, parameter(answer, 'error')]).toEqual([302, 'provider_failed'])
  })

  it('somebody who says no is sent on with that', async () => {
    const browser = await begin(name)
    const state = browser.url.searchParams.get('state') ?? ''
    const back = `${base}/v1/auth/login/${name}/callback?error=access_denied&error_uri=x&state=${state}`
    expect(parameter(await comeBack(back, browser.cookie), 'error')).toBe('access_denied')
  })

  it('what it adds to the address is let pass', async () => {
    const browser = await begin(name)
    const back = await visit(name, browser.url.href)
    const answer = await comeBack(`${back}&authuser=0&prompt=none&hd=example.test`, browser.cookie)
    expect(parameter(answer, 'login_code')).not.toBeNull()
  })

  it.each([
    ['redirect_uri', { redirect_uri: 'https://evil.example/' }],
    ['redirect_uri', { redirect_uri: `${applicationUri}#` }],
    ['redirect_uri', { redirect_uri: '' }],
    ['code_challenge', { code_challenge: 'short' }],
    ['code_challenge', { code_challenge: '' }],
    ['prompt', { prompt: 'none' }],
  ])('begins only with a listed address and a challenge: %s, %j', async (field, change) => {
    const given = { redirect_uri: applicationUri, code_challenge: pkce().challenge, ...change }
    const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
    const { status, body } = await world.open('GET', `/v1/auth/login/${name}?${query}`)
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: `?${field}` })]])
  })
})

describe('with Google', () => {
  it('an ID token for another attempt is refused', async () => {
    const browser = await begin('google', (url) => url.searchParams.set('nonce', 'another'))
    const answer = await comeBack(await google.visit(browser.url.href), browser.cookie)
    expect(parameter(answer, 'error')).toBe('provider_failed')
  })

  it('an answer in another provider’s name is refused', async () => {
    const browser = await begin('google')
    const back = await google.visit(browser.url.href)
    expect(new URL(back).searchParams.get('iss')).toBe(google.issuer)
    const answer = await comeBack(changed(back, 'iss', 'https://evil.example'), browser.cookie)
    expect(parameter(answer, 'error')).toBe('provider_failed')
  })

  it('a refusal at the provider comes back as one', async () => {
    google.refuses = true
    const browser = await begin('google')
    const answer = await comeBack(await google.visit(browser.url.href), browser.cookie)
    expect(parameter(answer, 'error')).toBe('access_denied')
  })
})

describe('a provider', () => {
  it.each(['redirect_uri', 'code_challenge'])('is not gone to without %s', async (missing) => {
    const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: pkce().challenge })
    query.delete(missing)
    const refused = await world.open('GET', `/v1/auth/login/google?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: `?${missing}` }] } })
  })

  it('that is not set up is none', async () => {
    const bare = await startTestSignIn()
    try {
      for (const name of names) {
        const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: pkce().challenge })
        const login = `/v1/auth/login/${name}`
        for (const path of [login, `${login}?${query}`, `${login}/callback?code=x&state=x`])
          expect(await bare.open('GET', path)).toMatchObject({ status: 404, body: { code: 'provider_not_configured' } })
      }
    } finally {
      await bare.stop()
    }
  })

  it('that is away is our 502, and is asked again', async () => {
    const callback = `${base}/v1/auth/login/google/callback`
    const away = await startOpenIdProvider(callback)
    await away.close()
    const env = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'x', GOOGLE_ISSUER: away.issuer, SIGNUP: 'closed' }
    const lonely = await startTestSignIn(env)
    try {
      const query = new URLSearchParams({ redirect_uri: applicationUri, code_challenge: pkce().challenge })
      const begun = () => lonely.open('GET', `/v1/auth/login/google?${query}`)
      expect(await begun()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
      const back = await startOpenIdProvider(callback, Number(new URL(away.issuer).port))
      const begunAgain = await begun()
      await back.close()
      expect(begunAgain.status).toBe(302)
    } finally {
      await lonely.stop()
    }
  })
})

const other = (name: Name): Name => (name === 'google' ? 'github' : 'google')

function changed(url: string, name: string, value: string): string {
  const next = new URL(url)
  next.searchParams.set(name, value)
  return next.href
}

/** The same attempt, begun longer ago. */
function aged(cookie: string, back: string): string {
  const { sealer } = world.auth.context
  const sealed = cookie.slice('login-attempt='.length)
  const state = new URL(back).searchParams.get('state') ?? ''
  const provider = back.includes('/google/') ? 'google' : 'github'
  const carried: PendingAuthorization | undefined = openPendingAuthorization(sealer, sealed, {
    provider,
    state,
    now: 0,
  })
  if (carried === undefined) throw new Error('the cookie does not open')
  return `login-attempt=${sealPendingAuthorization(sealer, { ...carried, endsAt: Date.now() })}`
}
