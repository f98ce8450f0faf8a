import type { SamlRefusalReason } from '../../../../src/sso/saml/saml-refusal.ts'
import { buildAssertion, buildResponse, change, type createSamlProvider, type SamlRequest } from '../saml-provider.ts'

/** What a hostile response is built from. */
export interface Attack {
  request: SamlRequest
  provider: Awaited<ReturnType<typeof createSamlProvider>>
  /** Certificate of the service provider. */
  encryptionCertificate: string
}

export type Build = (attack: Attack) => string | Promise<string>
export type Row = readonly [title: string, reason: SamlRefusalReason, build: Build]

export const victim = 'victim@acme.test'
export const assertionOf = ({ request }: Attack) => buildAssertion(request)
export const signedOf = (attack: Attack) => attack.provider.sign(assertionOf(attack))
export const evilOf = ({ request }: Attack) => buildAssertion(request, victim)
export const responseOf = ({ request }: Attack, content: string) => buildResponse(request, content)
export const encode = (xml: string) => Buffer.from(xml).toString('base64')
export const valid: Build = (attack) => responseOf(attack, signedOf(attack))

/** A valid response whose text is changed after it was signed. */
export const changed =
  (part: string | RegExp, replacement: string | ((attack: Attack) => string)): Build =>
  async (attack) =>
    change(await valid(attack), part, typeof replacement === 'string' ? replacement : replacement(attack))

/** A response whose assertion is changed before it is signed, so that its signature is valid. */
export const stated =
  (part: string | RegExp, replacement: string): Build =>
  (attack) =>
    responseOf(attack, attack.provider.sign(change(assertionOf(attack), part, replacement)))

/** A response whose signature has an option that is not accepted. */
export const signedWith =
  (options: Parameters<Attack['provider']['sign']>[1]): Build =>
  (attack) =>
    responseOf(attack, attack.provider.sign(assertionOf(attack), options))

export const signaturePattern = /<ds:Signature.*<\/ds:Signature>/s
export const signatureOf = (xml: string) => signaturePattern.exec(xml)?.[0] ?? ''
export const insertAfterIssuer = (assertion: string, content: string) =>
  change(assertion, '</saml:Issuer>', `</saml:Issuer>${content}`)

/** A time beside that of the test. */
export const instant = (offsetSeconds: number) => new Date(Date.now() + offsetSeconds * 1000).toISOString()
