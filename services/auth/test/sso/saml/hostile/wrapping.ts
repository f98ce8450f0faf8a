import { change } from '../saml-provider.ts'
import {
  changed,
  evilOf,
  insertAfterIssuer,
  type Row,
  responseOf,
  signatureOf,
  signaturePattern,
  signedOf,
  valid,
} from './attack.ts'

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
