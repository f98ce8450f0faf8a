import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ReceivedMail } from '@wp/testkit'
import type { TestBrowser } from '../fixture/browser.ts'
import { type ConsoleFleet, ownerEmail, startConsoleFleet } from '../fixture/fleet.ts'

let fixture: ConsoleFleet
beforeAll(async () => {
  fixture = await startConsoleFleet()
})
afterAll(() => fixture.stop())

const session = '/console/api/session'

/** Opens the link of a mail and presses the button of its page. @returns the code in the address it leads to */
async function openLink(browser: TestBrowser, mail: ReceivedMail): Promise<{ address: URL; loginCode: string }> {
  const { pathname, searchParams } = new URL(mail.link ?? '')
  const pressed = await browser.send('POST', pathname, {
    rawBody: `token=${searchParams.get('token')}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const address = new URL(pressed.headers.get('location') ?? '')
  return { address, loginCode: address.searchParams.get('login_code') ?? '' }
}

describe('a visitor', () => {
  it('learns what the sign-in offers, and gets no cookie', async () => {
    const browser = fixture.newBrowser()
    expect(await browser.session('GET', '')).toEqual({
      authenticated: false,
      environment: 'development',
      public_base_url: fixture.fleet.baseUrl,
      providers: [],
    })
    expect([...browser.cookies]).toEqual([])
  })

  it('cannot sign in with a provider that is not configured', async () => {
    const response = await fixture.newBrowser().send('POST', `${session}/providers`, { body: { provider: 'google' } })
    expect([response.status, response.body.code]).toEqual([404, 'provider_not_configured'])
  })

  it('cannot sign in with a company that has connected no provider', async () => {
    const response = await fixture.newBrowser().send('POST', `${session}/company`, { body: { email: 'a@b.example' } })
    expect([response.status, response.body.code]).toEqual([404, 'provider_not_configured'])
  })
})

describe('a sign-in by the code of the mail', () => {
  it('sets a cookie of the session that scripts and other sites cannot use', async () => {
    const browser = fixture.newBrowser()
    const { loginId, mail } = await fixture.requestMail(browser)
    const wrong = await browser.send('POST', `${session}/verify`, { body: { login_id: loginId, code: '000000' } })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_login'])
    const body = { login_id: loginId, code: mail.code }
    const response = await browser.send('POST', `${session}/verify`, { body })
    const [cookie = ''] = response.headers.getSetCookie().filter((field) => field.startsWith('console='))
    expect(cookie).toMatch(/^console=[A-Za-z0-9_-]{43}; Max-Age=777[56]\d{3}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(response.body.data).toMatchObject({
      authenticated: true,
      user: {
        user_id: fixture.fleet.owner.ownerId,
        email: ownerEmail,
        workspaces: [{ workspace_id: fixture.fleet.owner.workspaceId, name: 'owner', role: 'owner' }],
      },
      authenticated_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(await browser.session('GET', '')).toEqual(response.body.data)
    expect(JSON.stringify(response.body)).not.toMatch(/token/)
  })

  it('stores neither the cookie nor a token in the clear', async () => {
    const browser = await fixture.signIn()
    const dump = JSON.stringify(await fixture.rows('SELECT * FROM sessions'))
    expect(dump).not.toContain(browser.cookies.get('console'))
    // The sealed text is base64, in which `eyJ` occurs by chance; a token has dots.
    expect(dump).not.toMatch(/eyJ[\w-]+\.|wprt_/)
  })

  it('gives a new cookie and ends the session that the browser had before', async () => {
    const browser = fixture.newBrowser()
    browser.cookies.set('console', 'chosen-by-an-attacker')
    await fixture.signIn(browser)
    const first = browser.cookies.get('console') ?? ''
    expect(first).not.toBe('chosen-by-an-attacker')
    await fixture.signIn(browser)
    expect(browser.cookies.get('console')).not.toBe(first)
    const earlier = fixture.newBrowser()
    earlier.cookies.set('console', first)
    expect(await earlier.session('GET', '')).toMatchObject({ authenticated: false })
    expect(earlier.cookies.has('console')).toBe(false)
  })
})

describe('a sign-in by the link of the mail', () => {
  it('comes back to the console and works in the browser that asked for it', async () => {
    const browser = fixture.newBrowser()
    const { mail } = await fixture.requestMail(browser)
    const { address, loginCode } = await openLink(browser, mail)
    expect(address.origin + address.pathname).toBe(`${fixture.fleet.baseUrl}/console/sign-in/callback`)
    expect(await browser.session('POST', '/verify', { login_code: loginCode })).toMatchObject({ authenticated: true })
    const replayed = await browser.send('POST', `${session}/verify`, { body: { login_code: loginCode } })
    expect([replayed.status, replayed.body.code]).toEqual([401, 'invalid_login'])
  })

  it('works when another tab has completed a sign-in since', async () => {
    const browser = fixture.newBrowser()
    const { mail } = await fixture.requestMail(browser)
    const { mail: otherMail } = await fixture.requestMail(browser)
    const codes = [(await openLink(browser, otherMail)).loginCode, (await openLink(browser, mail)).loginCode]
    for (const code of codes)
      expect(await browser.session('POST', '/verify', { login_code: code })).toMatchObject({ authenticated: true })
    expect(await browser.session('GET', '')).toMatchObject({ authenticated: true })
  })

  it('works with the first of two mails too', async () => {
    const browser = fixture.newBrowser()
    const { mail } = await fixture.requestMail(browser)
    await fixture.requestMail(browser)
    const { loginCode } = await openLink(browser, mail)
    expect(await browser.session('POST', '/verify', { login_code: loginCode })).toMatchObject({ authenticated: true })
  })

  it('does not work in another browser, even one that has begun to sign in', async () => {
    const [browser, other, third] = [fixture.newBrowser(), fixture.newBrowser(), fixture.newBrowser()]
    const { mail } = await fixture.requestMail(browser)
    await fixture.requestMail(other)
    const { loginCode } = await openLink(browser, mail)
    const body = { login_code: loginCode }
    const withoutCookie = await third.send('POST', `${session}/verify`, { body })
    expect([withoutCookie.status, withoutCookie.body.code]).toEqual([401, 'invalid_login'])
    const withOtherCookie = await other.send('POST', `${session}/verify`, { body })
    expect([withOtherCookie.status, withOtherCookie.body.code]).toEqual([401, 'invalid_login'])
    // a code shown to the wrong browser is burnt
    expect((await browser.send('POST', `${session}/verify`, { body })).status).toBe(401)
  })

  it('does not work once the sign-in of the browser has expired', async () => {
    const browser = fixture.newBrowser()
    const { mail } = await fixture.requestMail(browser)
    const { loginCode } = await openLink(browser, mail)
    await fixture.rows('UPDATE pending_sign_ins SET expires_at = now()')
    const response = await browser.send('POST', `${session}/verify`, { body: { login_code: loginCode } })
    expect([response.status, response.body.code]).toEqual([401, 'invalid_login'])
  })
})

describe('a signed-in browser', () => {
  it('calls the API in a workspace of the user', async () => {
    const browser = await fixture.signIn()
    const headers = { 'x-workspace-key': fixture.fleet.owner.workspaceId }
    const path = '/console/api/v1/auth/api-key'
    const created = await browser.send('POST', path, { headers, body: { name: 'from the console' } })
    expect([created.status, created.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const listed = await browser.send('GET', path, { headers })
    expect(listed.body.data.map((key: { name: string }) => key.name)).toContain('from the console')
    const foreign = { 'x-workspace-key': fixture.fleet.stranger.workspaceId }
    expect((await browser.send('GET', path, { headers: foreign })).body.code).toBe('workspace_forbidden')
  })

  it('has a session at auth with its own address and name, not those of the console', async () => {
    const browser = fixture.newBrowser()
    const { loginId, mail } = await fixture.requestMail(browser)
    const headers = { 'user-agent': 'A Browser/1.0' }
    await browser.send('POST', `${session}/verify`, { headers, body: { login_id: loginId, code: mail.code } })
    const { body } = await browser.send('GET', '/console/api/v1/auth/sessions')
    const current = body.data.find((each: { current: boolean }) => each.current)
    expect(current).toMatchObject({ method: 'mail', user_agent: 'A Browser/1.0', ip: '127.0.0.1' })
  })

  it('signs out here and at auth', async () => {
    const browser = await fixture.signIn()
    const cookie = browser.cookies.get('console') ?? ''
    const observer = await fixture.signIn()
    const countSessions = async () => (await observer.send('GET', '/console/api/v1/auth/sessions')).body.data.length
    const before = await countSessions()
    await browser.session('POST', '/logout')
    expect(browser.cookies.has('console')).toBe(false)
    expect(await countSessions()).toBe(before - 1)
    browser.cookies.set('console', cookie)
    const stale = await browser.send('GET', '/console/api/v1/auth/me')
    expect([stale.status, stale.body.code, browser.cookies.has('console')]).toEqual([401, 'invalid_credential', false])
    expect(await browser.session('POST', '/logout')).toEqual({ signed_out: true })
  })

  it('is signed out when its session ends at auth', async () => {
    const browser = await fixture.signIn()
    const { body } = await browser.send('GET', '/console/api/v1/auth/sessions')
    const current = body.data.find((each: { current: boolean }) => each.current)
    expect((await browser.send('DELETE', `/console/api/v1/auth/sessions/${current.id}`)).status).toBe(200)
    expect(await browser.session('GET', '')).toMatchObject({ authenticated: false })
    expect(browser.cookies.has('console')).toBe(false)
  })

  it('is signed out when its session has expired', async () => {
    const browser = await fixture.signIn()
    await fixture.rows('UPDATE sessions SET expires_at = now()')
    expect((await browser.send('GET', '/console/api/v1/auth/me')).status).toBe(401)
    expect(browser.cookies.has('console')).toBe(false)
  })
})
