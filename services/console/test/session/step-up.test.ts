import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestBrowser } from '../fixture/browser.ts'
import { type ConsoleFleet, ownerEmail, startConsoleFleet } from '../fixture/fleet.ts'

let fixture: ConsoleFleet
beforeAll(async () => {
  fixture = await startConsoleFleet()
})
afterAll(() => fixture.stop())

const roles = '/console/api/v1/auth/admin/roles'

const createRole = (browser: TestBrowser, name: string) =>
  browser.send('POST', roles, {
    headers: { 'x-workspace-key': fixture.fleet.owner.workspaceId },
    body: { name, scopes: ['data:read'] },
  })

/** Makes the last authentication of every session eleven minutes old, in the tokens of the next refresh too. */
async function ageAuthentications(): Promise<void> {
  await fixture.authRows(`UPDATE sessions SET authenticated_at = authenticated_at - interval '11 minutes'`)
  await fixture.rows(`UPDATE sessions SET access_expires_at = now(),
    authenticated_at = authenticated_at - interval '11 minutes'`)
}

async function requestCode(browser: TestBrowser): Promise<{ login_id: string; code: string | null }> {
  let loginId = ''
  const { code } = await fixture.nextMail(ownerEmail, async () => {
    loginId = (await browser.session('POST', '/reauthentication')).login_id
  })
  return { login_id: loginId, code }
}

describe('an endpoint that requires a recent authentication', () => {
  it('works after the sign-in, is refused after ten minutes, and works after a re-authentication', async () => {
    const browser = await fixture.signIn()
    expect((await createRole(browser, 'first')).status).toBe(201)
    await ageAuthentications()
    const refused = await createRole(browser, 'second')
    expect([refused.status, refused.body.code]).toEqual([401, 'reauthentication_required'])
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_user_authentication')
    expect(browser.cookies.has('console')).toBe(true)

    const before = await browser.session('GET', '')
    const cookie = browser.cookies.get('console') ?? ''
    const session = await browser.session('POST', '/reauthentication/verify', await requestCode(browser))
    expect(Date.parse(String(session.authenticated_at))).toBeGreaterThan(Date.parse(String(before.authenticated_at)))
    expect(session.expires_at).toBe(before.expires_at)
    expect(JSON.stringify(session)).not.toMatch(/token/)
    expect((await createRole(browser, 'second')).status).toBe(201)

    const copy = fixture.newBrowser()
    copy.cookies.set('console', cookie)
    expect(await copy.session('GET', '')).toMatchObject({ authenticated: false })
  })

  it('works after the refresh that follows a re-authentication', async () => {
    const browser = await fixture.signIn()
    await ageAuthentications()
    await browser.session('POST', '/reauthentication/verify', await requestCode(browser))
    await fixture.rows('UPDATE sessions SET access_expires_at = now()')
    expect((await createRole(browser, 'third')).status).toBe(201)
  })
})

describe('a re-authentication', () => {
  it('fails with a wrong code, and with the code of another session', async () => {
    const [browser, other] = [await fixture.signIn(), await fixture.signIn()]
    const proof = await requestCode(browser)
    const path = '/console/api/session/reauthentication/verify'
    for (const [sender, body] of [
      [browser, { ...proof, code: proof.code === '000000' ? '000001' : '000000' }],
      [other, proof],
    ] as const) {
      const response = await sender.send('POST', path, { body })
      expect([response.status, response.body.code]).toEqual([401, 'invalid_login'])
      expect(sender.cookies.has('console')).toBe(true)
    }
  })

  it('needs a session', async () => {
    const visitor = fixture.newBrowser()
    for (const path of ['/reauthentication', '/reauthentication/verify']) {
      const body = path.endsWith('verify') ? { login_id: 'login_1', code: '1' } : undefined
      const response = await visitor.send('POST', `/console/api/session${path}`, { body })
      expect([response.status, response.body.code]).toEqual([401, 'missing_credential'])
    }
  })
})
