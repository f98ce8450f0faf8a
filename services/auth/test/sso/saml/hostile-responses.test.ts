import { afterAll, describe, expect, it } from '@jest/globals'
import { createCompany, dnsRecords } from '../../fixture/company.ts'
import { startTestSignIn } from '../../fixture/sign-in.ts'
import type { Attack } from './hostile/attack.ts'
import { documents, malformed } from './hostile/documents.ts'
import { encryption } from './hostile/encryption.ts'
import { signatures } from './hostile/signatures.ts'
import { statements } from './hostile/statements.ts'
import { wrapping } from './hostile/wrapping.ts'
import { buildAssertion, buildResponse, createSamlProvider, readSamlRequest } from './saml-provider.ts'

const fixture = await startTestSignIn({}, { resolveTxt: async (name) => dnsRecords.get(name) ?? [] })
const company = await createCompany(fixture)
const provider = await createSamlProvider()
await company.verifyDomain('acme.test')
const { body } = await company.asOwner('PATCH', '/v1/auth/sso-connection', {
  kind: 'saml',
  metadata_xml: provider.metadata([provider.own, provider.next]),
})
const encryptionCertificate = body.data.saml.encryption_certificate
afterAll(() => fixture.stop())

/** Posts a response as the browser does and returns the address to which it is sent on. */
async function post(encoded: string, relayState: string, recipient: string): Promise<URL> {
  const form = { SAMLResponse: encoded, RelayState: relayState }
  const answer = await fixture.open('POST', new URL(recipient).pathname, { form })
  return new URL(answer.headers.get('location') ?? `http://nowhere/${answer.status}`)
}

/** Returns the reason of a refusal, after checking that the browser that began the sign-in is told of a failure. */
async function refusalOf(build: (attack: Attack) => string | Promise<string>, isEncoded = false) {
  const { url, cookie } = await company.startLogin('ada@acme.test')
  const request = readSamlRequest(url)
  const response = await build({ request, provider, encryptionCertificate })
  const encoded = isEncoded ? response : Buffer.from(response).toString('base64')
  const back = await post(encoded, request.relayState, request.recipient)
  const answer = await company.openCallback(back.href, cookie)
  expect(answer.headers.get('location')).toMatch(/[?&]error=provider_failed$/)
  return back.searchParams.get('error_description')
}

describe('a hostile response', () => {
  it('has a table of at least 100 rows', () => {
    const tables = [malformed, documents, wrapping, signatures, statements, encryption]
    expect(tables.flat().length).toBeGreaterThanOrEqual(100)
  })

  it.each(malformed)('with %s is refused: %s', async (_, reason, build) => {
    expect(await refusalOf(build, true)).toBe(reason)
  })

  it.each([...documents, ...wrapping, ...signatures])('with %s is refused: %s', async (_, reason, build) => {
    expect(await refusalOf(build)).toBe(reason)
  })

  it.each(statements)('that states %s is refused: %s', async (_, reason, build) => {
    expect(await refusalOf(build)).toBe(reason)
  })

  it.each(encryption)('with %s is refused: %s', async (_, reason, build) => {
    expect(await refusalOf(build)).toBe(reason)
  })

  it('signs in no one and creates no account', async () => {
    expect(await fixture.auth.rows(`SELECT email FROM users WHERE email LIKE '%acme.test'`)).toEqual([])
    expect(await fixture.auth.rows('SELECT * FROM saml_assertions')).toEqual([])
  })
})

describe('a valid response', () => {
  const validFor = (url: string) => {
    const request = readSamlRequest(url)
    const encoded = Buffer.from(buildResponse(request, provider.sign(buildAssertion(request)))).toString('base64')
    return { request, encoded }
  }

  it('is refused when it is repeated, and its code works once', async () => {
    const { url, cookie } = await company.startLogin('ada@acme.test')
    const { request, encoded } = validFor(url)
    const first = await post(encoded, request.relayState, request.recipient)
    const second = await post(encoded, request.relayState, request.recipient)
    expect(second.searchParams.get('error_description')).toBe('replayed')
    expect((await company.openCallback(first.href, cookie)).headers.get('location')).toContain('login_code=')
    expect((await company.openCallback(first.href, cookie)).status).toBe(400)
  })

  it('signs in the browser that began the sign-in only', async () => {
    const attacker = await company.startLogin('ada@acme.test')
    const victim = await company.startLogin('ada@acme.test')
    const { request, encoded } = validFor(attacker.url)
    const back = await post(encoded, request.relayState, request.recipient)
    expect((await company.openCallback(back.href, victim.cookie)).status).toBe(400)
    expect((await company.openCallback(back.href)).status).toBe(400)
    const own = readSamlRequest(victim.url)
    const moved = await post(encoded, own.relayState, own.recipient)
    expect(moved.searchParams.get('error_description')).toBe('wrong_request')
    const state = new URL(back)
    state.searchParams.set('state', own.relayState)
    const answer = await company.openCallback(state.href, victim.cookie)
    expect(answer.headers.get('location')).toMatch(/error=provider_failed$/)
  })

  it('is refused at the address of another workspace', async () => {
    const other = await createCompany(fixture)
    await other.asOwner('PATCH', '/v1/auth/sso-connection', { kind: 'saml', metadata_xml: provider.metadata() })
    const { url } = await company.startLogin('ada@acme.test')
    const { request, encoded } = validFor(url)
    const recipient = request.recipient.replace(company.workspaceId, other.workspaceId)
    const back = await post(encoded, request.relayState, recipient)
    expect(back.searchParams.get('error_description')).toBe('wrong_destination')
  })
})
