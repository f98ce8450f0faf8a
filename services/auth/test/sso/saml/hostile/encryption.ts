import { randomUUID } from 'node:crypto'
import { algorithms, change } from '../saml-provider.ts'
import { type Attack, assertionOf, type Build, type Row, responseOf, signedOf } from './attack.ts'

const encrypted =
  (
    content: (attack: Attack) => string,
    options: Parameters<Attack['provider']['encryptFor']>[2] = {},
    certificateOf = (attack: Attack) => attack.encryptionCertificate,
  ): Build =>
  async (attack) =>
    responseOf(attack, await attack.provider.encryptFor(certificateOf(attack), content(attack), options))

/** Encrypted assertions. Until their signature is verified there is one reason, so that no one learns about the key. */
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
