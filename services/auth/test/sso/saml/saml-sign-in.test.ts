import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { samlMetadataSchedule } from '../../../src/sso/saml/metadata-source.ts'
import { createCompany, dnsRecords } from '../../fixture/company.ts'
import { cookieOf, startTestSignIn } from '../../fixture/sign-in.ts'
import { createSamlProvider, samlIssuer } from './saml-provider.ts'
import { type SamlifyProvider, startSamlifyProvider } from './samlify-provider.ts'

type Company = Awaited<ReturnType<typeof createCompany>>
const path = '/v1/auth/sso-connection'

const fixture = await startTestSignIn({}, { resolveTxt: async (name) => dnsRecords.get(name) ?? [] })
afterAll(() => fixture.stop())

const metadataOf = async ({ workspaceId }: Company): Promise<string> => {
  const { status, body } = await fixture.open('GET', `/v1/auth/login/sso/${workspaceId}/metadata`)
  if (status !== 200) throw new Error(`${status} ${body}`)
  return String(body)
}

/** Does what a browser does at the provider and at the address to which it posts the response. */
const visit = (company: Company, provider: SamlifyProvider) => async (url: string) => {
  const form = await provider.respond(await metadataOf(company), url)
  const answer = await fixture.open('POST', `/v1/auth/login/sso/${company.workspaceId}/callback`, { form })
  return answer.headers.get('location') ?? ''
}

async function connect(provider: SamlifyProvider, domain: string): Promise<Company> {
  const company = await createCompany(fixture)
  await company.verifyDomain(domain)
  const { status, body } = await company.asOwner('PATCH', path, { kind: 'saml', metadata_xml: provider.metadata })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return company
}

describe('sign-in with a SAML identity provider', () => {
  it.each([
    ['signed assertions', 'plain.test', {}],
    ['encrypted assertions', 'encrypted.test', { isAssertionEncrypted: true }],
    ['signed requests', 'signed.test', { wantAuthnRequestsSigned: true }],
  ])('works with %s: finds the account again, with the role of the groups', async (_, domain, options) => {
    const provider = await startSamlifyProvider(options)
    const company = await connect(provider, domain)
    await company.asOwner('PATCH', '/v1/auth/sign-in-policy', {
      default_role: 'viewer',
      group_roles: [{ group: 'Admins', role: 'admin' }],
    })
    const signIn = () => company.signIn(`any@${domain}`, visit(company, provider))
    provider.user = { email: `ada@${domain}`, groups: ['admins'] }
    const first = await signIn()
    expect(await company.roleOf(first.userId ?? '')).toBe('admin')
    expect(await company.workspacesOf(first.userId ?? '', first.sessionId ?? '')).toEqual([company.workspaceId])
    provider.user = { email: `ada@${domain}`, groups: [] }
    expect((await signIn()).userId).toBe(first.userId)
    expect(await company.roleOf(first.userId ?? '')).toBe('viewer')
    for (const email of ['eve@elsewhere.test', `eve@sub.${domain}`, 'nothing']) {
      provider.user = { email, groups: [] }
      expect(await signIn()).toEqual({ error: 'email_unverified' })
    }
    await fixture.auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [first.userId])
    provider.user = { email: `ada@${domain}`, groups: [] }
    expect(await signIn()).toEqual({ error: 'access_denied' })
  })

  it('answers a response without a request with the start of a sign-in, and signs in no one', async () => {
    const provider = await startSamlifyProvider({})
    const company = await connect(provider, 'initiated.test')
    const post = async (email: string, RelayState: string) => {
      provider.user = { email, groups: [] }
      const form = { ...(await provider.respond(await metadataOf(company))), RelayState }
      const address = `/v1/auth/login/sso/${company.workspaceId}/callback`
      const { status, headers } = await fixture.open('POST', address, { form })
      return { status, location: headers.get('location'), cookies: headers.getSetCookie() }
    }
    const location = 'http://localhost:4000/console/sign-in?company=initiated.test'
    expect(await post('ada@initiated.test', 'https://app.test/')).toEqual({ status: 303, location, cookies: [] })
    expect((await post('eve@elsewhere.test', '')).status).toBe(400)
    const asAnswer = await post('ada@initiated.test', 'x'.repeat(43))
    expect(asAnswer.location).toContain('error_description=wrong_request')
    expect(await fixture.auth.rows(`SELECT FROM users WHERE email LIKE '%@initiated.test'`)).toEqual([])
  })

  it('shows the claims of a test, shortened, or the reason of a refusal, and begins no session', async () => {
    const provider = await startSamlifyProvider({})
    const company = await connect(provider, 'tested.test')
    provider.user = { email: 'tester@tested.test', groups: ['one', 'two'] }
    const test = async (change: (url: string) => Promise<string>) => {
      const { body } = await company.asOwner('POST', `${path}/test`)
      const { pathname, search } = new URL(body.data.url)
      const started = await fixture.open('GET', pathname + search)
      return await company.openCallback(await change(started.headers.get('location') ?? ''), cookieOf(started.headers))
    }
    const shown = await test(visit(company, provider))
    expect(shown).toMatchObject({ status: 200 })
    expect(shown.body).toContain('t…@tested.test')
    expect(shown.body).toContain('2 values')
    expect(shown.body).toContain('The test succeeded')
    expect(shown.body).not.toContain('tester')
    provider.user = { email: 'tester@elsewhere.test', groups: [] }
    expect((await test(visit(company, provider))).body).toContain('no mail address of a verified domain')
    const refused = await test(async (url) => {
      const state = new URL(url).searchParams.get('RelayState') ?? ''
      const form = { SAMLResponse: Buffer.from('<x/>').toString('base64'), RelayState: state }
      const address = `/v1/auth/login/sso/${company.workspaceId}/callback`
      return (await fixture.open('POST', address, { form })).headers.get('location') ?? ''
    })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('not a SAML 2.0 response')
    expect(await fixture.auth.rows(`SELECT FROM users WHERE email = 'tester@tested.test'`)).toEqual([])
  })
})

describe('the metadata of an identity provider', () => {
  it('can be given as a file, and the connection shows its certificates and no private key', async () => {
    const { metadata, own, next } = await createSamlProvider()
    const company = await createCompany(fixture)
    const patch = (body: object) => company.asOwner('PATCH', path, body)
    const { body } = await patch({ kind: 'saml', metadata_xml: metadata([own, next]), groups_claim: 'roles' })
    expect(body.data).toMatchObject({ kind: 'saml', issuer: samlIssuer, groups_claim: 'roles' })
    expect(body.data.client_id).toBe(`http://localhost:4000/v1/auth/login/sso/${company.workspaceId}/metadata`)
    expect(body.data.saml).toMatchObject({ metadata_url: null, failure: null, signs_requests: false })
    expect(body.data.saml.certificates).toHaveLength(2)
    const stored = await fixture.auth.rows('SELECT * FROM sso_connections JOIN saml_providers USING (workspace_id)')
    expect(JSON.stringify([body, stored])).not.toContain('PRIVATE KEY')
    const again = await patch({ metadata_xml: metadata([next]) })
    expect(again.body.data.saml.certificates).toHaveLength(1)
    expect(again.body.data.saml.encryption_certificate).toBe(body.data.saml.encryption_certificate)
    expect((await patch({ groups_claim: 'teams' })).body.data.saml.certificates).toHaveLength(1)
  })

  it.each<[string, (text: string) => object, string]>([
    ['nothing', () => ({}), '/metadata_url'],
    ['both forms', (text) => ({ metadata_xml: text, metadata_url: 'https://idp.test' }), '/metadata_xml'],
    ['fields of OpenID Connect', (text) => ({ metadata_xml: text, client_id: 'c' }), '/client_id'],
    ['text that is no XML', () => ({ metadata_xml: 'x' }), '/metadata_xml'],
    ['a document type', (text) => ({ metadata_xml: `<!DOCTYPE x>${text}` }), '/metadata_xml'],
    ['two providers', (text) => ({ metadata_xml: `<x>${text}${text}</x>` }), '/metadata_xml'],
    ['no certificate', (text) => ({ metadata_xml: text.replaceAll('X509Certificate', 'x') }), '/metadata_xml'],
    ['a malformed certificate', (text) => ({ metadata_xml: text.replace(/ate>\s*MII/, 'ate>AAA') }), '/metadata_xml'],
    [
      'a sign-in by script',
      (text) => ({ metadata_xml: text.replace('Location="https:', 'Location="javascript:') }),
      '/metadata_xml',
    ],
    [
      'an expiry in the past',
      (text) => ({ metadata_xml: text.replace('entityID', 'validUntil="2020-01-01T00:00:00Z" entityID') }),
      '/metadata_xml',
    ],
  ])('is refused with %s', async (_, bodyOf, pointer) => {
    const { metadata } = await createSamlProvider()
    const company = await createCompany(fixture)
    const { status, body } = await company.asOwner('PATCH', path, { kind: 'saml', ...bodyOf(metadata()) })
    expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 400, pointer })
  })

  it('is read again from its address; the earlier one stays when that fails', async () => {
    const { metadata, own, next } = await createSamlProvider()
    let served = metadata([own])
    const server = createServer((_, response) => void response.end(served))
      .listen(0, '127.0.0.1')
      .unref()
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo // a TCP server has such an address
    const company = await createCompany(fixture)
    const metadata_url = `http://127.0.0.1:${port}/metadata`
    expect((await company.asOwner('PATCH', path, { kind: 'saml', metadata_url })).status).toBe(200)
    const refresh = async () => {
      await fixture.auth.rows(
        `UPDATE saml_providers SET next_check_at = now() - interval '1 second' WHERE metadata_url IS NOT NULL`,
      )
      await samlMetadataSchedule(fixture.auth.context).pass(AbortSignal.timeout(30_000))
      const { body } = await company.asOwner('GET', path)
      return { certificates: body.data.saml.certificates.length, failure: body.data.saml.failure }
    }
    served = metadata([own, next])
    expect(await refresh()).toEqual({ certificates: 2, failure: null })
    served = metadata([own], 'https://evil.test')
    expect(await refresh()).toEqual({ certificates: 2, failure: 'The metadata is of another entity id' })
    served = 'maintenance'
    expect(await refresh()).toMatchObject({ certificates: 2, failure: expect.stringContaining('not well-formed') })
    server.close()
    server.closeAllConnections()
    expect(await refresh()).toEqual({ certificates: 2, failure: 'The metadata could not be fetched' })
  })

  it('is replaced by OpenID Connect only with its own secret, and ends with the connection', async () => {
    const { metadata } = await createSamlProvider()
    const company = await createCompany(fixture)
    await company.asOwner('PATCH', path, { kind: 'saml', metadata_xml: metadata() })
    const asOpenId = await company.asOwner('PATCH', path, { kind: 'oidc', issuer: samlIssuer, client_id: 'c' })
    expect(asOpenId.body.errors).toMatchObject([{ pointer: '/client_secret' }])
    expect((await company.asOwner('DELETE', path)).status).toBe(200)
    const address = `/v1/auth/login/sso/${company.workspaceId}`
    expect((await fixture.open('GET', `${address}/metadata`)).status).toBe(404)
    expect((await fixture.open('POST', `${address}/callback`, { form: { SAMLResponse: 'x' } })).status).toBe(404)
    expect(
      await fixture.auth.rows('SELECT FROM saml_providers WHERE workspace_id = $1', [company.workspaceId]),
    ).toEqual([])
  })
})
