import { afterAll, describe, expect, it } from '@jest/globals'
import { createCompany, dnsRecords } from '../fixture/company.ts'
import { type Forgery, forgedClient, startForgingIssuer } from '../fixture/forging-issuer.ts'
import { startTestSignIn } from '../fixture/sign-in.ts'

const issuer = await startForgingIssuer()
const fixture = await startTestSignIn({}, { resolveTxt: async (name) => dnsRecords.get(name) ?? [] })
const company = await createCompany(fixture)
await company.verifyDomain('acme.test')
await company.connect(issuer.issuer, forgedClient)
afterAll(async () => {
  await fixture.stop()
  await issuer.close()
})

const signIn = async (forgery: Forgery, response: Record<string, string> = {}) => {
  issuer.forge(forgery)
  issuer.response = response
  return await company.signIn('ada@acme.test', issuer.visit)
}
const seconds = () => Math.floor(Date.now() / 1000)

describe('an ID token', () => {
  it('is accepted when it is valid, and within the tolerance of the clocks', async () => {
    expect((await signIn({})).error).toBeNull()
    expect((await signIn({ claims: { exp: seconds() - 10 } })).error).toBeNull()
  })

  it.each<[string, () => Forgery]>([
    ['another audience', () => ({ claims: { aud: 'another' } })],
    ['several audiences without an authorized party', () => ({ claims: { aud: ['platform', 'another'] } })],
    ['another issuer', () => ({ claims: { iss: 'https://accounts.google.com' } })],
    ['an expiry in the past', () => ({ claims: { exp: seconds() - 120 } })],
    ['a time in the future', () => ({ claims: { nbf: seconds() + 120 } })],
    ['another nonce', () => ({ claims: { nonce: 'another' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['a subject that is too long', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['no signature', () => ({ key: 'none' })],
    ['the signature of another key', () => ({ key: 'other' })],
  ])('is refused with %s', async (_, forgery) => {
    expect(await signIn(forgery())).toEqual({ error: 'provider_failed' })
  })

  it('is refused when the response names another issuer, or none although it must (RFC 9207)', async () => {
    expect(await signIn({}, { iss: 'https://accounts.google.com' })).toEqual({ error: 'provider_failed' })
  })

  it('gives the role of the first mapped group, and changes it at the next sign-in', async () => {
    await company.asOwner('PATCH', '/v1/auth/sign-in-policy', {
      default_role: 'viewer',
      group_roles: [
        { group: 'Admins', role: 'admin' },
        { group: 'Staff', role: 'member' },
      ],
    })
    const roleWith = async (groups: unknown) => {
      const { userId = '' } = await signIn({ claims: { sub: 'grouped', email: 'grouped@acme.test', groups } })
      return await company.roleOf(userId)
    }
    expect(await roleWith(['staff', 'ADMINS'])).toBe('admin')
    expect(await roleWith(['Staff', 7, null])).toBe('member')
    expect(await roleWith('Admins')).toBe('viewer')
  })
})
