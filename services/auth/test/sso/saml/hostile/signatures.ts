import { algorithms } from '../saml-provider.ts'
import {
  assertionOf,
  changed,
  instant,
  type Row,
  responseOf,
  signaturePattern,
  signedOf,
  signedWith,
  victim,
} from './attack.ts'

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
