import { afterAll, describe, expect, it } from '@jest/globals'
import { createCompany, dnsRecords } from '../fixture/company.ts'
import { startOpenIdProvider } from '../fixture/openid-provider.ts'
import { startTestSignIn } from '../fixture/sign-in.ts'

const fixture = await startTestSignIn({}, { resolveTxt: async (name) => dnsRecords.get(name) ?? [] })
const company = await createCompany(fixture)
const provider = await startOpenIdProvider(`http://localhost:4000/v1/auth/login/sso/${company.workspaceId}/callback`)
await company.verifyDomain('company.test')
await company.connect(provider.issuer, provider)
afterAll(async () => {
  await fixture.stop()
  await provider.close()
})

const setUser = (sub: string, claims: object = {}) => {
  provider.user = { sub, email: `${sub}@company.test`, email_verified: true, ...claims }
}
const signIn = (email: string) => company.signIn(email, provider.visit)

describe('sign-in with the provider of a company', () => {
  it('makes the user a member with the default role, and finds the same account again', async () => {
    setUser('ada')
    const first = await signIn('Ada@Company.test')
    expect(await company.roleOf(first.userId ?? '')).toBe('member')
    expect(await company.workspacesOf(first.userId ?? '', first.sessionId ?? '')).toEqual([company.workspaceId])
    expect((await signIn('ada@company.test')).userId).toBe(first.userId)
  })

  it('never shows or returns the client secret', async () => {
    const { body } = await company.asOwner('GET', '/v1/auth/sso-connection')
    const stored = await fixture.auth.rows('SELECT * FROM sso_connections')
    expect(body.data).toMatchObject({ issuer: provider.issuer, required: false, groups_claim: 'groups' })
    expect(JSON.stringify([body, stored])).not.toContain(provider.clientSecret)
  })

  it.each([
    ['says that it is unverified', { email_verified: false }],
    ['is of another domain', { email: 'eve@elsewhere.test' }],
    ['is of a subdomain', { email: 'eve@sub.company.test' }],
    ['is missing', { email: undefined }],
  ])('refuses an address that %s', async (_, claims) => {
    setUser(`refused-${crypto.randomUUID()}`, claims)
    expect(await signIn('x@company.test')).toEqual({ error: 'email_unverified' })
  })

  it('accepts a provider that says nothing about the address', async () => {
    setUser('silent', { email_verified: undefined })
    expect((await signIn('x@company.test')).userId).toBeDefined()
  })

  it('refuses a user whom the directory has deactivated, and who denies access', async () => {
    setUser('left')
    const { userId } = await signIn('x@company.test')
    await fixture.auth.rows(
      `INSERT INTO scim_users (scim_user_id, workspace_id, user_id, user_name, active, attributes)
       VALUES ('scu_left', $1, $2, 'left', false, '{}')`,
      [company.workspaceId, userId],
    )
    expect(await signIn('x@company.test')).toEqual({ error: 'access_denied' })
    provider.refuses = true
    expect(await signIn('x@company.test')).toEqual({ error: 'access_denied' })
    provider.refuses = false
  })

  it('refuses a linked identity whose account is no longer of a verified domain', async () => {
    setUser('moved')
    const { userId } = await signIn('x@company.test')
    await fixture.auth.rows(`UPDATE users SET email = 'moved@elsewhere.test' WHERE user_id = $1`, [userId])
    expect(await signIn('x@company.test')).toEqual({ error: 'account_exists' })
  })

  it('refuses a callback that was used, of another browser, another state or another workspace', async () => {
    setUser('ada')
    const { url, cookie } = await company.startLogin('ada@company.test')
    const back = await provider.visit(url)
    expect((await company.openCallback(back)).status).toBe(400)
    const otherState = new URL(back)
    otherState.searchParams.set('state', 'x'.repeat(43))
    expect((await company.openCallback(otherState.href, cookie)).status).toBe(400)
    const { workspaceId: another } = await fixture.auth.workspace('Another')
    expect((await company.openCallback(back.replace(company.workspaceId, another), cookie)).status).toBe(400)
    expect((await company.openCallback(back, cookie)).headers.get('location')).toContain('login_code=')
    expect((await company.openCallback(back, cookie)).status).toBe(400)
  })

  it('knows no company of another domain', async () => {
    for (const query of ['email=x@elsewhere.test', 'email=nothing', 'test=forged', ''])
      expect(await fixture.open('GET', `/v1/auth/login/sso?${query}`)).toMatchObject({
        status: 404,
        body: { code: 'provider_not_configured' },
      })
  })

  it('shows the claims of a test, shortened, and begins no session', async () => {
    setUser('tester')
    const { body } = await company.asOwner('POST', '/v1/auth/sso-connection/test')
    const { pathname, search } = new URL(body.data.url)
    const started = await fixture.open('GET', pathname + search)
    const cookie = started.headers
      .getSetCookie()
      .map((field) => field.split(';', 1)[0])
      .join('; ')
    const shown = await company.openCallback(await provider.visit(started.headers.get('location') ?? ''), cookie)
    expect(shown.status).toBe(200)
    expect(shown.body).toContain('t…@company.test')
    expect(shown.body).not.toContain('tester')
    expect(await fixture.auth.rows(`SELECT FROM users WHERE email = 'tester@company.test'`)).toEqual([])
  })
})

describe('a required sign-in', () => {
  it('hides the workspace from other sessions, but not from the break-glass owner', async () => {
    setUser('member')
    const { userId = '', sessionId = '' } = await signIn('x@company.test')
    const byMail = await fixture.auth.signIn(userId)
    const ownerByMail = await fixture.auth.signIn(company.ownerId)
    const require = (body: object) => company.asOwner('PATCH', '/v1/auth/sso-connection', { required: true, ...body })
    expect((await require({})).body).toMatchObject({ errors: [{ pointer: '/break_glass_user_id' }] })
    expect((await require({ break_glass_user_id: userId })).status).toBe(400)
    expect((await require({ break_glass_user_id: company.ownerId })).status).toBe(200)
    expect(await company.workspacesOf(userId, byMail.session.sessionId)).toEqual([])
    expect(await company.workspacesOf(userId, sessionId)).toEqual([company.workspaceId])
    expect(await company.workspacesOf(company.ownerId, ownerByMail.session.sessionId)).toContain(company.workspaceId)
    const last = await company.asOwner('DELETE', '/v1/auth/sso-domains/company.test')
    expect(last).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await company.asOwner('PATCH', '/v1/auth/sso-connection', { required: false })
    expect(await company.workspacesOf(userId, byMail.session.sessionId)).toEqual([company.workspaceId])
  })
})

describe('a domain', () => {
  it('is verified by its record only, and in one workspace only', async () => {
    const other = await createCompany(fixture)
    const { body } = await other.asOwner('POST', '/v1/auth/sso-domains', { domain: 'Company.Test' })
    expect(body.data).toMatchObject({ domain: 'company.test', verified_at: null })
    const verify = () => other.asOwner('POST', '/v1/auth/sso-domains/company.test/verify')
    expect(await verify()).toMatchObject({ status: 400, body: { errors: [{ pointer: '/domain' }] } })
    dnsRecords.set(body.data.txt_name, [body.data.txt_value])
    expect(await verify()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await other.asOwner('GET', '/v1/auth/sso-domains/company.test')).body.data.verified_at).toBeNull()
    expect((await other.asOwner('POST', '/v1/auth/sso-domains', { domain: 'localhost' })).status).toBe(400)
  })
})

describe('a connection', () => {
  it('refuses an address without metadata, and another issuer without the secret', async () => {
    const { asOwner } = await createCompany(fixture)
    const path = '/v1/auth/sso-connection'
    const secret = { client_id: 'c', client_secret: 's' }
    expect((await asOwner('PATCH', path, { issuer: provider.issuer })).status).toBe(400)
    const wrong = await asOwner('PATCH', path, { issuer: `${provider.issuer}/nothing`, ...secret })
    expect(wrong).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
    expect((await asOwner('PATCH', path, { issuer: provider.issuer, ...secret })).status).toBe(200)
    const moved = await asOwner('PATCH', path, { issuer: 'http://127.0.0.1:9' })
    expect(moved).toMatchObject({ status: 400, body: { errors: [{ pointer: '/client_secret' }] } })
    expect((await asOwner('DELETE', path)).status).toBe(200)
    expect((await asOwner('GET', path)).status).toBe(404)
  })
})
