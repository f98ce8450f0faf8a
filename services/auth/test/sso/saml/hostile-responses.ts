import { randomUUID } from 'node:crypto'
import type { SamlRefusalReason } from '../../../src/sso/saml/saml-refusal.ts'
import {
  algorithms,
  bearerMethod,
  buildAssertion,
  buildResponse,
  change,
  type createSamlProvider,
  type SamlRequest,
  samlIssuer,
} from '../../fixture/saml-provider.ts'

/** What a hostile response is built from. */
export interface Attack {
  request: SamlRequest
  provider: Awaited<ReturnType<typeof createSamlProvider>>
  /** Certificate of the service provider. */
  encryptionCertificate: string
}

type Build = (attack: Attack) => string | Promise<string>
type Row = readonly [title: string, reason: SamlRefusalReason, build: Build]

const victim = 'victim@acme.test'
const assertionOf = ({ request }: Attack) => buildAssertion(request)
const signedOf = (attack: Attack) => attack.provider.sign(assertionOf(attack))
const evilOf = ({ request }: Attack) => buildAssertion(request, victim)
const responseOf = ({ request }: Attack, content: string) => buildResponse(request, content)
const encode = (xml: string) => Buffer.from(xml).toString('base64')
const valid: Build = (attack) => responseOf(attack, signedOf(attack))

/** A valid response whose text is changed after it was signed. */
const changed =
  (part: string | RegExp, replacement: string | ((attack: Attack) => string)): Build =>
  async (attack) =>
    change(await valid(attack), part, typeof replacement === 'string' ? replacement : replacement(attack))

/** A response whose assertion is changed before it is signed, so that its signature is valid. */
const stated =
  (part: string | RegExp, replacement: string): Build =>
  (attack) =>
    responseOf(attack, attack.provider.sign(change(assertionOf(attack), part, replacement)))

/** A response whose signature has an option that is not accepted. */
const signedWith =
  (options: Parameters<Attack['provider']['sign']>[1]): Build =>
  (attack) =>
    responseOf(attack, attack.provider.sign(assertionOf(attack), options))

const signaturePattern = /<ds:Signature.*<\/ds:Signature>/s
const signatureOf = (xml: string) => signaturePattern.exec(xml)?.[0] ?? ''
const insertAfterIssuer = (assertion: string, content: string) =>
  change(assertion, '</saml:Issuer>', `</saml:Issuer>${content}`)

/** A time beside that of the test. */
const instant = (offsetSeconds: number) => new Date(Date.now() + offsetSeconds * 1000).toISOString()

/** Responses whose form is refused before anything of them is read. They are given as base64. */
export const malformed: readonly Row[] = [
  ['nothing', 'not_base64', () => ''],
  ['text that is not base64', 'not_base64', () => '<samlp:Response/>'],
  ['base64 that was cut', 'not_base64', async (attack) => encode(await valid(attack)).slice(0, 1001)],
  ['more than 256 KiB', 'too_large', async (attack) => encode((await valid(attack)) + ' '.repeat(262_144))],
  ['bytes that are not UTF-8', 'not_utf8', () => Buffer.from([0x3c, 0x61, 0xff, 0x3e]).toString('base64')],
  ['a document that was cut', 'malformed_xml', async (attack) => encode((await valid(attack)).slice(0, -20))],
  ['two documents', 'malformed_xml', async (attack) => encode((await valid(attack)).repeat(2))],
  ['text before the document', 'malformed_xml', async (attack) => encode(`x${await valid(attack)}`)],
]

/** Documents with parts that two parsers may read in two ways, or that cost time. */
export const documents: readonly Row[] = [
  ['a document type', 'doctype', async (attack) => `<!DOCTYPE x>${await valid(attack)}`],
  [
    'an external entity',
    'doctype',
    async (attack) =>
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${await changed('ada@', '&e;ada@')(attack)}`,
  ],
  [
    'entities that expand',
    'doctype',
    async (attack) =>
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>${await changed('ada@', '&c;ada@')(attack)}`,
  ],
  ['an entity that is not declared', 'entity', changed('ada@', '&amp;&unknown;ada@')],
  ['a comment in the name', 'comment', changed('ada@acme.test', 'ada@acme.test<!---->.evil.test')],
  ['a comment in a signed name', 'comment', stated('ada@acme.test', 'ada@acme.test<!---->.evil.test')],
  [
    'a comment in a signed attribute',
    'comment',
    stated('<saml:AttributeValue>ada', '<saml:AttributeValue>a<!--x-->da'),
  ],
  ['a comment in a digest', 'comment', changed('<ds:DigestValue>', '<ds:DigestValue><!--x-->')],
  ['a comment in the signed part of a signature', 'comment', changed('<ds:SignedInfo>', '<ds:SignedInfo><!--x-->')],
  ['a CDATA section in the name', 'cdata', stated('>ada@acme.test<', '><![CDATA[ada@acme.test]]><')],
  ['a processing instruction in the name', 'processing_instruction', stated('>ada@', '>ada<?x y?>@')],
  [
    'elements that are nested too deeply',
    'too_complex',
    changed('<samlp:Status>', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}<samlp:Status>`),
  ],
  ['too many elements', 'too_complex', changed('<samlp:Status>', `${'<a/>'.repeat(6_000)}<samlp:Status>`)],
  [
    'another message',
    'not_a_response',
    (attack) => responseOf(attack, '').replaceAll('samlp:Response', 'samlp:LogoutResponse'),
  ],
  ['another version', 'not_a_response', changed('Version="2.0" IssueInstant', 'Version="1.1" IssueInstant')],
  [
    'another namespace',
    'not_a_response',
    changed('xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"', 'xmlns:samlp="urn:evil"'),
  ],
  ['an assertion alone', 'not_a_response', signedOf],
  ['another destination', 'wrong_destination', changed(/ Destination="[^"]*"/, ' Destination="https://evil.test/acs"')],
  ['a longer destination', 'wrong_destination', changed('/callback" InResponseTo', '/callback/x" InResponseTo')],
  ['no destination', 'wrong_destination', changed(/ Destination="[^"]*"/, '')],
  ['another issuer of the response', 'wrong_response_issuer', changed(`>${samlIssuer}<`, '>https://evil.test<')],
  ['a failure', 'status', changed('status:Success', 'status:Responder')],
  ['no status', 'status', changed(/<samlp:Status>.*<\/samlp:Status>/, '')],
  ['another request', 'wrong_request', changed(/ InResponseTo="[^"]*"/, ' InResponseTo="_another"')],
  ['no request', 'wrong_request', changed(/ InResponseTo="[^"]*"/, '')],
]

/** Wrapping attacks, XSW 1 to 8 (Somorovsky et al. 2012), and other doubts about what a signature covers. */
export const wrapping: readonly Row[] = [
  [
    'XSW 1: the signed response inside another one',
    'misplaced_assertion',
    (attack) => {
      const signed = attack.provider.sign(responseOf(attack, signedOf(attack)))
      return responseOf(attack, `${evilOf(attack)}${signed}`)
    },
  ],
  [
    'XSW 2: the signed response before the forged assertion',
    'misplaced_assertion',
    (attack) => responseOf(attack, `${attack.provider.sign(valid(attack) as string)}${evilOf(attack)}`),
  ],
  [
    'XSW 3: a forged assertion before the signed one',
    'several_assertions',
    (attack) => responseOf(attack, evilOf(attack) + signedOf(attack)),
  ],
  [
    'XSW 4: the signed assertion inside a forged one',
    'misplaced_assertion',
    (attack) => responseOf(attack, change(evilOf(attack), '</saml:Assertion>', `${signedOf(attack)}</saml:Assertion>`)),
  ],
  [
    'XSW 5: the signature moved to a forged assertion',
    'several_assertions',
    (attack) => {
      const signed = signedOf(attack)
      return responseOf(
        attack,
        insertAfterIssuer(evilOf(attack), signatureOf(signed)) + change(signed, signaturePattern, ''),
      )
    },
  ],
  [
    'XSW 6: the signed assertion inside the signature of a forged one',
    'misplaced_assertion',
    (attack) => {
      const signed = signedOf(attack)
      const original = change(signed, signaturePattern, '')
      const around = change(signatureOf(signed), '</ds:Signature>', `${original}</ds:Signature>`)
      return responseOf(attack, insertAfterIssuer(evilOf(attack), around))
    },
  ],
  [
    'XSW 7: a forged assertion in extensions',
    'misplaced_assertion',
    (attack) => responseOf(attack, `<samlp:Extensions>${evilOf(attack)}</samlp:Extensions>${signedOf(attack)}`),
  ],
  [
    'XSW 8: the signed assertion in an object of the signature of a forged one',
    'misplaced_assertion',
    (attack) => {
      const signed = signedOf(attack)
      const object = `<ds:Object>${change(signed, signaturePattern, '')}</ds:Object></ds:Signature>`
      return responseOf(
        attack,
        insertAfterIssuer(evilOf(attack), change(signatureOf(signed), '</ds:Signature>', object)),
      )
    },
  ],
  ['two signed assertions', 'several_assertions', (attack) => responseOf(attack, signedOf(attack) + signedOf(attack))],
  ['no assertion', 'no_assertion', (attack) => responseOf(attack, '')],
  [
    'an assertion of another namespace',
    'misplaced_assertion',
    (attack) => responseOf(attack, `${signedOf(attack)}<Assertion xmlns="urn:evil"/>`),
  ],
  [
    'the same ID twice',
    'duplicate_id',
    changed(
      '<samlp:Status>',
      '<samlp:Extensions xmlns:x="urn:x"><x:a ID="_1"/><x:b Id="_1"/></samlp:Extensions><samlp:Status>',
    ),
  ],
  [
    'a signature in extensions',
    'misplaced_signature',
    (attack) =>
      responseOf(attack, `<samlp:Extensions>${signatureOf(signedOf(attack))}</samlp:Extensions>${signedOf(attack)}`),
  ],
  [
    'two signatures of the assertion',
    'several_signatures',
    (attack) => responseOf(attack, insertAfterIssuer(signedOf(attack), signatureOf(signedOf(attack)))),
  ],
  [
    'a signature over the response at the assertion',
    'wrong_reference',
    changed(/(?<=<ds:Reference )URI="#[^"]*"/, 'URI="#_response"'),
  ],
  ['a signature over the whole document', 'wrong_reference', changed(/(?<=<ds:Reference )URI="#[^"]*"/, 'URI=""')],
  [
    'a signature with two references',
    'wrong_reference',
    async (attack) => {
      const xml = await valid(attack)
      const reference = /<ds:Reference.*<\/ds:Reference>/s.exec(xml)?.[0] ?? ''
      return change(xml, '</ds:SignedInfo>', `${reference}</ds:SignedInfo>`)
    },
  ],
  [
    'two signed parts in a signature',
    'malformed_signature',
    async (attack) => {
      const xml = await valid(attack)
      const info = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(xml)?.[0] ?? ''
      return change(xml, info, info + info)
    },
  ],
  [
    'two digests',
    'malformed_signature',
    changed('<ds:DigestValue>', '<ds:DigestValue>x</ds:DigestValue><ds:DigestValue>'),
  ],
  ['an object in the signature', 'malformed_signature', changed('</ds:Signature>', '<ds:Object/></ds:Signature>')],
]

/** Signatures that prove nothing. */
export const signatures: readonly Row[] = [
  ['no signature', 'unsigned_assertion', (attack) => responseOf(attack, assertionOf(attack))],
  ['a signature that was removed', 'unsigned_assertion', changed(signaturePattern, '')],
  [
    'a signature of the response alone',
    'unsigned_assertion',
    (attack) => attack.provider.sign(responseOf(attack, assertionOf(attack))),
  ],
  [
    'the signature of another certificate',
    'wrong_signature',
    (attack) => signedWith({ key: attack.provider.other })(attack),
  ],
  [
    'the signature of another key with the certificate of the provider',
    'wrong_signature',
    (attack) => signedWith({ key: { ...attack.provider.other, certificate: attack.provider.own.certificate } })(attack),
  ],
  ['RSA with SHA-1', 'weak_signature', signedWith({ signature: algorithms.rsaSha1 })],
  ['a digest with SHA-1', 'weak_signature', signedWith({ digest: algorithms.sha1 })],
  [
    'HMAC with the certificate as its key',
    'weak_signature',
    changed(algorithms.rsaSha256, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
  ],
  ['an algorithm that does not exist', 'weak_signature', changed(algorithms.rsaSha256, 'none')],
  ['canonical XML with comments', 'forbidden_transform', signedWith({ c14n: algorithms.c14nWithComments })],
  [
    'a transform that keeps comments',
    'forbidden_transform',
    signedWith({ transforms: [algorithms.enveloped, algorithms.c14nWithComments] }),
  ],
  [
    'no enveloped transform',
    'forbidden_transform',
    changed(new RegExp(`<ds:Transform Algorithm="${algorithms.enveloped}"/>`), ''),
  ],
  [
    'no transforms',
    'forbidden_transform',
    changed(/<ds:Transforms>.*<\/ds:Transforms>/s, '<ds:Transforms></ds:Transforms>'),
  ],
  [
    'an XPath transform',
    'forbidden_transform',
    changed(
      `<ds:Transform Algorithm="${algorithms.c14n}"/>`,
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>//x</ds:XPath></ds:Transform>',
    ),
  ],
  [
    'an XSLT transform',
    'forbidden_transform',
    changed(
      `<ds:Transform Algorithm="${algorithms.enveloped}"/>`,
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
    ),
  ],
  ['a name that was changed', 'wrong_signature', changed('>ada@acme.test<', `>${victim}<`)],
  ['an attribute that was changed', 'wrong_signature', changed('>Staff<', '>Admins<')],
  [
    'an expiry that was changed',
    'wrong_signature',
    changed(/NotOnOrAfter="[^"]*" Recipient/, `NotOnOrAfter="${instant(900)}" Recipient`),
  ],
  ['a digest that was changed', 'wrong_signature', changed(/<ds:DigestValue>.{4}/, '<ds:DigestValue>AAAA')],
  [
    'a signature value that was changed',
    'wrong_signature',
    changed(/<ds:SignatureValue>.{4}/, '<ds:SignatureValue>AAAA'),
  ],
  [
    'a valid assertion in a response whose own signature is not valid',
    'wrong_signature',
    (attack) => attack.provider.sign(responseOf(attack, signedOf(attack)), { key: attack.provider.other }),
  ],
]

/** Assertions with a valid signature that are for another service, request or time. */
export const statements: readonly Row[] = [
  ['another issuer', 'wrong_issuer', stated(`>${samlIssuer}<`, '>https://evil.test<')],
  ['an issuer with a slash more', 'wrong_issuer', stated(`>${samlIssuer}<`, `>${samlIssuer}/<`)],
  ['another version of the assertion', 'malformed_assertion', stated('Version="2.0"', 'Version="1.1"')],
  ['no subject', 'no_name', stated(/<saml:Subject>.*<\/saml:Subject>/, '')],
  ['no name', 'no_name', stated(/<saml:NameID>.*<\/saml:NameID>/, '')],
  ['an empty name', 'no_name', stated(/<saml:NameID>.*<\/saml:NameID>/, '<saml:NameID> </saml:NameID>')],
  ['an element in the name', 'no_name', stated('>ada@acme.test<', '>ada@acme.test<saml:x/>.evil.test<')],
  ['two names', 'no_name', stated('<saml:NameID>', '<saml:NameID>x</saml:NameID><saml:NameID>')],
  ['a name that is too long', 'no_name', stated('>ada@', `>${'a'.repeat(300)}@`)],
  [
    'a transient name',
    'transient_name',
    stated('<saml:NameID>', '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">'),
  ],
  ['no confirmation', 'no_bearer_confirmation', stated(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '')],
  [
    'a confirmation by a key',
    'no_bearer_confirmation',
    stated(bearerMethod, 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key'),
  ],
  ['another recipient', 'wrong_recipient', stated(/Recipient="[^"]*"/, 'Recipient="https://evil.test/acs"')],
  ['no recipient', 'wrong_recipient', stated(/ Recipient="[^"]*"/, '')],
  ['a confirmation of another request', 'wrong_request', stated(/InResponseTo="[^"]*"/, 'InResponseTo="_another"')],
  ['a confirmation of no request', 'wrong_request', stated(/ InResponseTo="[^"]*"/, '')],
  ['a confirmation without an expiry', 'no_expiry', stated(/ NotOnOrAfter="[^"]*" Recipient/, ' Recipient')],
  [
    'a confirmation that has expired',
    'expired',
    stated(/NotOnOrAfter="[^"]*" Recipient/, `NotOnOrAfter="${instant(-120)}" Recipient`),
  ],
  [
    'a confirmation that is not valid yet',
    'not_yet_valid',
    stated(' Recipient', ` NotBefore="${instant(600)}" Recipient`),
  ],
  [
    'a confirmation for a year',
    'valid_too_long',
    stated(/NotOnOrAfter="[^"]*" Recipient/, `NotOnOrAfter="${instant(31_536_000)}" Recipient`),
  ],
  [
    'a time of a zone',
    'malformed_time',
    stated(/NotOnOrAfter="[^"]*" Recipient/, 'NotOnOrAfter="2099-01-01T00:00:00+02:00" Recipient'),
  ],
  ['an issue in the future', 'issued_in_future', stated(/IssueInstant="[^"]*"/, `IssueInstant="${instant(600)}"`)],
  ['no time of issue', 'malformed_time', stated(/ IssueInstant="[^"]*"/, '')],
  ['no conditions', 'no_conditions', stated(/<saml:Conditions.*<\/saml:Conditions>/, '')],
  ['two conditions', 'no_conditions', stated('<saml:AuthnStatement', '<saml:Conditions/><saml:AuthnStatement')],
  [
    'a condition that is not known',
    'unknown_condition',
    stated('<saml:AudienceRestriction>', '<saml:Condition xmlns:x="urn:x"/><saml:AudienceRestriction>'),
  ],
  [
    'conditions that have expired',
    'expired',
    stated(/NotOnOrAfter="[^"]*"><saml:Aud/, `NotOnOrAfter="${instant(-120)}"><saml:Aud`),
  ],
  ['conditions that do not hold yet', 'not_yet_valid', stated(/NotBefore="[^"]*"/, `NotBefore="${instant(600)}"`)],
  ['no audience', 'no_audience', stated(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')],
  ['an empty audience', 'wrong_audience', stated(/<saml:Audience>.*<\/saml:Audience>/, '<saml:Audience/>')],
  [
    'another audience',
    'wrong_audience',
    stated(/<saml:Audience>.*<\/saml:Audience>/, '<saml:Audience>https://evil.test</saml:Audience>'),
  ],
  [
    'a second restriction to another audience',
    'wrong_audience',
    stated(
      '</saml:Conditions>',
      '<saml:AudienceRestriction><saml:Audience>https://evil.test</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
    ),
  ],
  ['no authentication', 'no_authentication', stated(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '')],
  [
    'a session that has ended',
    'session_expired',
    stated('<saml:AuthnStatement ', `<saml:AuthnStatement SessionNotOnOrAfter="${instant(-120)}" `),
  ],
  ['an attribute without a name', 'malformed_assertion', stated(' Name="groups"', '')],
]

const encrypted =
  (
    content: (attack: Attack) => string,
    options: Parameters<Attack['provider']['encryptFor']>[2] = {},
    certificateOf = (attack: Attack) => attack.encryptionCertificate,
  ): Build =>
  async (attack) =>
    responseOf(attack, await attack.provider.encryptFor(certificateOf(attack), content(attack), options))

/** Encrypted assertions. Until a signature is verified there is one reason, so that nothing is learned about the key. */
export const encryption: readonly Row[] = [
  [
    'an assertion encrypted for another key',
    'wrong_encrypted_assertion',
    encrypted(signedOf, {}, ({ provider }) => provider.other.certificate),
  ],
  ['an encrypted assertion without a signature', 'wrong_encrypted_assertion', encrypted(assertionOf)],
  [
    'an encrypted assertion of another certificate',
    'wrong_encrypted_assertion',
    encrypted((attack) => attack.provider.sign(assertionOf(attack), { key: attack.provider.other })),
  ],
  [
    'an encrypted comment',
    'wrong_encrypted_assertion',
    encrypted((attack) => attack.provider.sign(change(assertionOf(attack), '>ada@', '>a<!---->da@'))),
  ],
  ['an encrypted document type', 'wrong_encrypted_assertion', encrypted((attack) => `<!DOCTYPE x>${signedOf(attack)}`)],
  ['encrypted text', 'wrong_encrypted_assertion', encrypted(() => 'nothing')],
  [
    'an encrypted SHA-1 signature',
    'wrong_encrypted_assertion',
    encrypted((attack) => attack.provider.sign(assertionOf(attack), { signature: algorithms.rsaSha1 })),
  ],
  [
    'an encrypted content that was changed',
    'wrong_encrypted_assertion',
    async (attack) => {
      const xml = await encrypted(signedOf, { encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' })(
        attack,
      )
      const at = xml.lastIndexOf('CipherValue>', xml.lastIndexOf('CipherValue>') - 1) + 'CipherValue>'.length
      return `${xml.slice(0, at)}AAAA${xml.slice(at + 4)}`
    },
  ],
  [
    'a key encrypted with RSA 1.5',
    'weak_encryption',
    encrypted(signedOf, { keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }),
  ],
  [
    'a content encrypted with 3DES',
    'weak_encryption',
    encrypted(signedOf, { encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' }),
  ],
  [
    'an encrypted assertion beside a plain one',
    'several_assertions',
    async (attack) =>
      responseOf(
        attack,
        (await attack.provider.encryptFor(attack.encryptionCertificate, signedOf(attack))) + signedOf(attack),
      ),
  ],
  [
    'two encrypted contents in an assertion',
    'malformed_encryption',
    async (attack) =>
      change(
        await encrypted(signedOf)(attack),
        '</saml:EncryptedAssertion>',
        '<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/></saml:EncryptedAssertion>',
      ),
  ],
  [
    'an encrypted assertion for another audience',
    'wrong_audience',
    encrypted((attack) =>
      attack.provider.sign(
        change(
          assertionOf(attack),
          /<saml:Audience>.*<\/saml:Audience>/,
          `<saml:Audience>urn:${randomUUID()}</saml:Audience>`,
        ),
      ),
    ),
  ],
]
