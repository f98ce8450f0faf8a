import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { base, loopbackRedirectUri, redirectUri, startTestAuthorization } from '../fixture/authorization.ts'
import { choicesOf, hiddenFieldsOf } from '../fixture/browser.ts'
import { listAuditEvents } from '../fixture/sign-in.ts'

const fixture = await startTestAuthorization()
afterAll(() => fixture.stop())

let serial = 0
const newEmail = () => `person${++serial}@example.test`
const open = (query: URLSearchParams) => fixture.browser().open(`/v1/auth/authorize?${query}`)

describe('an authorization request', () => {
  it('leads a browser through sign-in by mail code to the consent page and returns a code, the state and the issuer', async () => {
    const { query } = fixture.request()
    const browser = fixture.browser()
    const signInPage = await browser.open(`/v1/auth/authorize?${query}`)
    expect(signInPage.status).toBe(200)
    expect(signInPage.body).toContain('Test client')
    expect(signInPage.body).toContain(new URL(fixture.clientId).host)
    const signedIn = await fixture.signIn(browser, query, newEmail())
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `${base}/v1/auth/authorize?${query}`])
    expect(browser.cookies.get('browser-session')?.path).toBe('/v1/auth/authorize')
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('login_'))).toEqual([])
    const consent = await browser.open(signedIn.headers.get('location') ?? '')
    expect(consent.status).toBe(200)
    for (const shown of ['Test client', new URL(fixture.clientId).host, 'client.example', 'Search and read your data'])
      expect(consent.body).toContain(shown)
    const allowed = await browser.submit('/v1/auth/authorize', { ...hiddenFieldsOf(consent), decision: 'approve' })
    const redirect = new URL(allowed.headers.get('location') ?? '')
    expect([allowed.status, redirect.origin + redirect.pathname]).toEqual([303, redirectUri])
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      code: expect.stringMatching(/^wpac_[\w-]{43}$/),
      state: 'state of the client',
      iss: base,
    })
  })

  it('asks a signed-in browser for consent at once, and again for every request', async () => {
    const { browser } = await fixture.authorize(newEmail())
    const { query } = fixture.request()
    for (let count = 0; count < 2; count += 1) {
      const page = await browser.open(`/v1/auth/authorize?${query}`)
      expect(page.body).toContain('name="decision" value="approve"')
    }
  })

  it('returns access_denied when the user denies it, and records both decisions', async () => {
    const email = newEmail()
    const { browser } = await fixture.authorize(email)
    const { query } = fixture.request()
    const page = await browser.open(`/v1/auth/authorize?${query}`)
    const denied = await browser.submit('/v1/auth/authorize', { ...hiddenFieldsOf(page), decision: 'deny' })
    const redirect = new URL(denied.headers.get('location') ?? '')
    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state of the client',
      iss: base,
    })
    const [user] = await fixture.auth.rows<{ userId: string }>('SELECT user_id FROM users WHERE email = $1', [email])
    const decisions = (await listAuditEvents(fixture, user?.userId ?? '')).filter(({ action }) =>
      action.startsWith('authorization.'),
    )
    const targets = [{ type: 'oauth_client', id: fixture.clientId }]
    expect(decisions).toMatchObject([
      { action: 'authorization.granted', actor: { id: user?.userId }, targets, outcome: 'success' },
      { action: 'authorization.denied', actor: { id: user?.userId }, targets, outcome: 'denied' },
    ])
  })

  it('offers a choice when the user has several workspaces, and issues no code for any other', async () => {
    const email = newEmail()
    const { browser } = await fixture.authorize(email)
    const other = await fixture.auth.workspace('Another')
    await fixture.auth.rows(
      `INSERT INTO memberships (workspace_id, user_id, built_in_role) SELECT $1, user_id, 'viewer' FROM users WHERE email = $2`,
      [other.workspaceId, email],
    )
    const page = await browser.open(`/v1/auth/authorize?${fixture.request().query}`)
    expect(choicesOf(page)).toHaveLength(2)
    expect(choicesOf(page)).toContain(other.workspaceId)
    const decide = (workspace_id?: string) =>
      browser.submit('/v1/auth/authorize', {
        ...hiddenFieldsOf(page),
        decision: 'approve',
        ...(workspace_id === undefined ? {} : { workspace_id }),
      })
    for (const id of [undefined, newId('ws'), fixture.auth.seeded.workspace_id])
      expect(await decide(id)).toMatchObject({ status: 403, body: expect.stringContaining('expired') })
    expect((await decide(other.workspaceId)).status).toBe(303)
  })

  it('shows a page to a user without a workspace', async () => {
    const email = newEmail()
    const { browser } = await fixture.authorize(email)
    await fixture.auth.rows('DELETE FROM memberships WHERE user_id = (SELECT user_id FROM users WHERE email = $1)', [
      email,
    ])
    const page = await browser.open(`/v1/auth/authorize?${fixture.request().query}`)
    expect([page.status, page.body]).toEqual([403, expect.stringContaining('You have no workspace')])
  })

  it('accepts any port of a loopback redirect URI', async () => {
    const uri = 'http://127.0.0.1:49152/callback'
    const { redirect } = await fixture.authorize(newEmail(), { redirect_uri: uri })
    expect(redirect.href).toMatch(/^http:\/\/127\.0\.0\.1:49152\/callback\?code=/)
    expect(loopbackRedirectUri).not.toBe(uri)
  })

  it('records when the session of the browser was used last', async () => {
    const { browser } = await fixture.authorize(newEmail())
    const lastUsed = () =>
      fixture.auth.rows<{ lastUsedAt: Date; sessionId: string }>(
        'SELECT last_used_at, session_id FROM sessions WHERE browser_token_hash IS NOT NULL ORDER BY created_at DESC LIMIT 1',
      )
    const [session] = await lastUsed()
    await fixture.auth.rows(`UPDATE sessions SET last_used_at = now() - interval '1 day' WHERE session_id = $1`, [
      session?.sessionId,
    ])
    await browser.open(`/v1/auth/authorize?${fixture.request().query}`)
    await eventually(async () => {
      const [row] = await lastUsed()
      return row !== undefined && row.lastUsedAt.getTime() > Date.now() - 43_200_000
    })
  })

  it('signs the browser out when the user asks for another account', async () => {
    const { browser } = await fixture.authorize(newEmail())
    const { query } = fixture.request()
    const page = await browser.open(`/v1/auth/authorize?${query}`)
    const switched = await browser.submit('/v1/auth/authorize', { ...hiddenFieldsOf(page), decision: 'switch' })
    expect(browser.cookies.has('browser-session')).toBe(false)
    const again = await browser.open(switched.headers.get('location') ?? '')
    expect(again.body).toContain('type="email"')
    const old = await browser.submit('/v1/auth/authorize', { ...hiddenFieldsOf(page), decision: 'approve' })
    expect(old.status).toBe(403)
  })

  it('continues after the link of the mail was opened in the same browser', async () => {
    const { query } = fixture.request()
    const browser = fixture.browser()
    const page = await browser.open(`/v1/auth/authorize?${query}`)
    const email = newEmail()
    await browser.submit('/v1/auth/authorize/login', { ...hiddenFieldsOf(page), email })
    const mail = await fixture.mailbox.waitFor(({ to }) => to === email)
    const link = await browser.open(mail.link ?? '')
    const opened = await browser.submit('/v1/auth/login/link', hiddenFieldsOf(link))
    expect(opened.headers.get('location')).toBe(`${base}/v1/auth/authorize?${query}`)
    const consent = await browser.open(opened.headers.get('location') ?? '')
    expect(consent.body).toContain('name="decision" value="approve"')
  })

  it('rejects a wrong code, a missing login and an invalid address on a page', async () => {
    const { query } = fixture.request()
    const browser = fixture.browser()
    const page = await browser.open(`/v1/auth/authorize?${query}`)
    const login = (email: string) => browser.submit('/v1/auth/authorize/login', { ...hiddenFieldsOf(page), email })
    expect(await login('nobody')).toMatchObject({ status: 400, body: expect.stringContaining('valid email address') })
    const verify = () => browser.submit('/v1/auth/authorize/verify', { ...hiddenFieldsOf(page), code: 'abcdef' })
    expect((await verify()).status).toBe(403)
    await login(newEmail())
    expect(await verify()).toMatchObject({ status: 400, body: expect.stringContaining('The code is wrong') })
    expect(browser.cookies.has('browser-session')).toBe(false)
  })
})

const invalidRequests: [string, Record<string, string | undefined>, string][] = [
  ['no response_type', { response_type: undefined }, 'invalid_request'],
  ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
  ['no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a malformed code_challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['an unknown scope', { scope: 'data:read openid' }, 'invalid_scope'],
  ['no scope that a client may have', { scope: 'auth:keys auth:admin' }, 'invalid_scope'],
  ['an empty scope', { scope: ' ' }, 'invalid_scope'],
  ['a foreign resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
]

describe('an invalid request', () => {
  it.each(invalidRequests)(
    'with %s gets a page without a link when the browser is not signed in',
    async (_, changes) => {
      const { status, headers, body } = await open(fixture.request(changes).query)
      expect([status, headers.get('location')]).toEqual([400, null])
      expect(body).toContain('sent a request with an error')
      expect(body).not.toContain(redirectUri)
    },
  )

  it('gets a page with the error response of the client as a link when the user is signed in', async () => {
    const { browser } = await fixture.authorize(newEmail())
    for (const [, changes, error] of invalidRequests) {
      const page = await browser.open(`/v1/auth/authorize?${fixture.request(changes).query}`)
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
      const link = new URL(/<a href="([^"]+)">Return to/.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '')
      expect(link.origin + link.pathname).toBe(redirectUri)
      expect(Object.fromEntries(link.searchParams)).toEqual({
        error,
        error_description: expect.stringMatching(/./),
        state: 'state of the client',
        iss: base,
      })
    }
  })
})

describe('nothing is sent to a redirect URI that is not one of the client', () => {
  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['of another host', 'https://evil.example/callback'],
    ['with another path', 'https://client.example/callback/../evil'],
    ['with a query', 'https://client.example/callback?next=x'],
    ['with a fragment', 'https://client.example/callback#x'],
    ['with a user', 'https://client.example@evil.example/callback'],
    ['with another port', 'https://client.example:8443/callback'],
    ['without TLS', 'http://client.example/callback'],
    ['of a host that begins like it', 'https://client.example.evil.example/callback'],
    ['in upper case', 'HTTPS://CLIENT.EXAMPLE/callback'],
    ['another loopback path', 'http://127.0.0.1:5000/evil'],
    ['another loopback host', 'http://localhost:5000/callback'],
    ['a loopback user', 'http://127.0.0.1:5000@evil.example/callback'],
    ['a script', 'javascript:alert(1)'],
    ['no URI', 'callback'],
  ])('%s', async (_, uri) => {
    for (const changes of [{}, { response_type: 'token' }, { scope: 'nonsense' }]) {
      const { status, headers, body } = await open(fixture.request({ ...changes, redirect_uri: uri }).query)
      expect([status, headers.get('location'), body]).toEqual([
        400,
        null,
        expect.stringContaining('cannot be authorized'),
      ])
    }
  })
})
