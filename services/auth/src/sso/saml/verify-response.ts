import { promisify } from 'node:util'
import { type ExpectedResponse, inspectAssertion, inspectResponse } from './inspect-response.ts'
import { readAssertion, type SamlAssertion } from './read-assertion.ts'
import { SamlRefusal } from './saml-refusal.ts'
import { parseXml } from './xml.ts'

/** Size of a response before it is encoded. */
export const maxResponseBytes = 262_144
const bounds = { maxElements: 5_000 }

/** Keys for the response of one connection. */
export interface ResponseKeys {
  /** Certificates of the identity provider, in PEM; a signature of any of them is accepted. */
  certificates: readonly string[]
  /** Private key for encrypted assertions, in PEM. */
  privateKey: string
}

/**
 * Verifies a response (HTTP POST binding). The structure is inspected first, with another parser than that of the
 * library; then the library verifies the signatures and returns the signed bytes of the assertion, and only these are
 * read.
 *
 * An encrypted assertion is refused with one reason until its signature is verified: reasons that tell where the
 * decryption failed would let an attacker who recorded it decrypt it step by step (Jager and Somorovsky 2011).
 * @param encoded the form parameter `SAMLResponse`
 * @throws SamlRefusal
 */
export async function verifyResponse(
  encoded: string,
  keys: ResponseKeys,
  expected: ExpectedResponse,
  nowMs: number,
): Promise<SamlAssertion> {
  const xml = decode(encoded)
  const { isResponseSigned, isEncrypted } = inspectResponse(parseXml(xml, bounds), expected)
  if (isEncrypted) await inspectEncrypted(xml, keys.privateKey)
  const signed = await verifySignatures(xml, keys, expected, isResponseSigned).catch((cause: unknown) => {
    throw new SamlRefusal(isEncrypted ? 'wrong_encrypted_assertion' : 'wrong_signature', { cause })
  })
  return readAssertion(parseXml(signed, bounds), expected, nowMs)
}

function decode(encoded: string): string {
  const text = encoded.replace(/[\r\n\t ]+/g, '')
  if (text.length > Math.ceil(maxResponseBytes / 3) * 4) throw new SamlRefusal('too_large')
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new SamlRefusal('not_base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'base64'))
  } catch (cause) {
    throw new SamlRefusal('not_utf8', { cause })
  }
}

async function inspectEncrypted(xml: string, privateKey: string): Promise<void> {
  try {
    const { decrypt } = await import('xml-encryption')
    const options = { key: privateKey, disallowDecryptionWithInsecureAlgorithm: true }
    inspectAssertion(parseXml(await promisify(decrypt)(xml, options), bounds))
  } catch (cause) {
    throw new SamlRefusal('wrong_encrypted_assertion', { cause })
  }
}

/** Returns the signed bytes of the assertion. Loaded when needed: most processes never see a SAML response. */
async function verifySignatures(
  xml: string,
  { certificates, privateKey }: ResponseKeys,
  { audience, recipient }: ExpectedResponse,
  isResponseSigned: boolean,
): Promise<string> {
  const { SAML } = await import('@node-saml/node-saml')
  let signed: string | undefined
  /** Keeps the verified assertion. What it states is read by `readAssertion`, which checks more than the library. */
  class SignatureVerifier extends SAML {
    protected override async processValidlySignedAssertionAsync(assertion: string) {
      signed = assertion
      return { profile: { issuer: '', nameID: '', nameIDFormat: '' }, loggedOut: false }
    }
  }
  const verifier = new SignatureVerifier({
    issuer: audience,
    callbackUrl: recipient,
    idpCert: [...certificates],
    decryptionPvk: privateKey,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: isResponseSigned,
    audience: false,
  })
  await verifier.validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') })
  if (signed === undefined) throw new Error('the library returned no assertion')
  return signed
}
