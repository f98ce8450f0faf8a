import { samlIssuer } from '../saml-provider.ts'
import { changed, encode, type Row, responseOf, signedOf, stated, valid } from './attack.ts'

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
