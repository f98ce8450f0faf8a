import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { sealConsent } from '../../src/authorization/consent.ts'
import { redirectUri, startTestAuthorization } from '../fixture/authorization.ts'
import { type Browser, hiddenFieldsOf } from '../fixture/browser.ts'
import { isAlert } from '../fixture/sign-in.ts'

const fixture = await startTestAuthorization()
afterAll(() => fixture.stop())

let serial = 0
let browser: Browser
/** The hidden fields of the consent page. */
let form: Record<string, string>
beforeEach(async () => {
  serial += 1
  browser = (await fixture.authorize(`person${serial}@example.test`)).browser
  form = hiddenFieldsOf(await browser.open(`/v1/auth/authorize?${fixture.request().query}`))
})

const countCodes = async () => (await fixture.auth.rows('SELECT FROM authorization_codes')).length
const approve = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  browser.submit('/v1/auth/authorize', { ...form, decision: 'approve', ...changes }, headers)

describe('a consent form', () => {
  it.each(['cross-site', 'same-site', 'none'])('is rejected when it comes from a page elsewhere (%s)', async (site) => {
    const before = await countCodes()
    const rejected = await approve({}, { 'sec-fetch-site': site })
    expect([rejected.status, rejected.headers.get('location')]).toEqual([403, null])
    expect(await countCodes()).toBe(before)
    expect((await approve()).status).toBe(303)
  })

  it('is rejected without the cookie of the browser', async () => {
    const rejected = await fixture.open('POST', '/v1/auth/authorize', { form: { ...form, decision: 'approve' } })
    expect([rejected.status, rejected.headers.get('location')]).toEqual([403, null])
  })

  it('is rejected with the token of another browser, also of the same user', async () => {
    const { browser: other } = await fixture.authorize(`person${serial}@example.test`)
    const theirs = hiddenFieldsOf(await other.open(`/v1/auth/authorize?${fixture.request().query}`))
    expect((await approve({ consent: theirs.consent ?? '' })).status).toBe(403)
  })

  it('is rejected without a token, with a changed one, or with an unknown decision', async () => {
    const { consent = '' } = form
    const altered = `${consent.slice(0, 40)}${consent[40] === 'A' ? 'B' : 'A'}${consent.slice(41)}`
    for (const changed of ['', 'v1.00000000.AAAA', consent.slice(0, -4), altered])
      expect((await approve({ consent: changed })).status).toBe(403)
    expect((await approve({ decision: '' })).status).toBe(403)
    expect((await approve({ decision: 'maybe' })).status).toBe(403)
  })

  it('is rejected half an hour after the page was shown', async () => {
    const { sealer, now } = fixture.auth.context
    const [row] = await fixture.auth.rows<{ sessionId: string }>(
      'SELECT session_id FROM sessions WHERE browser_token_hash IS NOT NULL ORDER BY created_at DESC LIMIT 1',
    )
    const request = {
      client: { id: fixture.clientId, name: 'Test client', redirectUris: [redirectUri] },
      redirectUri,
      state: undefined,
      codeChallenge: 'x'.repeat(43),
      scopes: ['data:read'] as const,
      resource: undefined,
    }
    const sealedAt = (time: number) => sealConsent(sealer, request, row?.sessionId ?? '', time)
    expect((await approve({ consent: sealedAt(now() - 30 * 60_000) })).status).toBe(403)
    expect((await approve({ consent: sealedAt(now()) })).status).toBe(303)
  })

  it('is rejected after the session of the browser has ended, expired, or its user was disabled', async () => {
    const latest =
      'session_id = (SELECT session_id FROM sessions WHERE browser_token_hash IS NOT NULL ORDER BY created_at DESC LIMIT 1)'
    const changes = [
      [`UPDATE sessions SET ended_at = now() WHERE ${latest}`, `UPDATE sessions SET ended_at = NULL WHERE ${latest}`],
      [
        `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE ${latest}`,
        `UPDATE sessions SET expires_at = now() + interval '1 day' WHERE ${latest}`,
      ],
      [
        `UPDATE users SET disabled_at = now() WHERE email = 'person${serial}@example.test'`,
        `UPDATE users SET disabled_at = NULL WHERE email = 'person${serial}@example.test'`,
      ],
    ] as const
    for (const [end, restore] of changes) {
      await fixture.auth.rows(end)
      expect((await approve()).status).toBe(403)
      await fixture.auth.rows(restore)
    }
    expect((await approve()).status).toBe(303)
  })
})

describe('the sign-in forms', () => {
  it.each(['login', 'verify'])('%s is rejected when it comes from a page elsewhere', async (name) => {
    const mails = fixture.mailbox.mails.length
    const fields = { authorization: 'state=x', email: 'someone@example.test', code: '123456' }
    const { email: _email, ...verify } = fields
    const { code: _code, ...login } = fields
    const sent = await browser.submit(`/v1/auth/authorize/${name}`, name === 'login' ? login : verify, {
      'sec-fetch-site': 'cross-site',
    })
    expect(sent.status).toBe(403)
    expect(fixture.mailbox.mails.length).toBe(mails)
  })

  it('lead back to the authorization endpoint only, whatever the form says', async () => {
    for (const authorization of [
      'https://evil.example',
      '//evil.example',
      '\\evil.example',
      '../../evil',
      '#@evil.example',
    ]) {
      const other = fixture.browser()
      const page = await other.submit('/v1/auth/authorize/login', {
        authorization,
        email: `open${serial}@example.test`,
      })
      const mail = await fixture.mailbox.waitFor(
        (one) => one.to === `open${serial}@example.test` && !seen.has(one.id) && !isAlert(one),
      )
      seen.add(mail.id)
      const form = { ...hiddenFieldsOf(page), code: mail.code ?? '' }
      const signedIn = await other.submit('/v1/auth/authorize/verify', form)
      expect(signedIn.status).toBe(303)
      const location = new URL(signedIn.headers.get('location') ?? '')
      expect(location.origin + location.pathname).toBe('http://localhost:4000/v1/auth/authorize')
    }
  })
})

const seen = new Set<string>()

it('allows the form to lead to the redirect URI and https only, and shows names of clients as text', async () => {
  const clientId = fixture.publish({
    client_name: '<img src=x onerror=alert(1)>"\u202e\n',
    redirect_uris: ['com.example.app:/callback'],
  })
  const { query } = fixture.request({ client_id: clientId, redirect_uri: 'com.example.app:/callback' })
  const page = await browser.open(`/v1/auth/authorize?${query}`)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app: https:;")
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.body).not.toContain('<img')
  expect(page.body).not.toContain('\u202e')
  expect(page.body).toContain('&lt;img src=x onerror=alert(1)&gt;')
})
