import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** The key pair of a service provider, in PEM. */
export interface ServiceKeyPair {
  privateKey: string
  certificate: string
}

const validityMs = 10 * 365 * 86_400_000

/**
 * Creates the key pair that decrypts assertions and signs requests, with a self-signed certificate (RFC 5280), because
 * the forms of identity providers take keys as certificates. Node cannot create one; a library for it would be larger
 * than the rest of SAML.
 */
export async function createServiceKeyPair(commonName: string, nowMs: number): Promise<ServiceKeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const name = sequence(encode(0x31, sequence(commonNameId, encode(0x0c, Buffer.from(commonName)))))
  const body = sequence(
    encode(0xa0, encode(0x02, Buffer.of(2))),
    encode(0x02, Buffer.of(1), randomBytes(15)),
    sha256WithRsa,
    name,
    sequence(time(nowMs), time(nowMs + validityMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = encode(0x03, Buffer.of(0), sign('sha256', body, privateKey))
  const lines =
    sequence(body, sha256WithRsa, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** Encodes a value by the distinguished encoding rules (ITU-T X.690): tag, length, content. */
function encode(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  const length = body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), body])
}

const sequence = (...items: Buffer[]) => encode(0x30, ...items)
const commonNameId = Buffer.from('0603550403', 'hex')
const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))

/** A time after 2049 has a year of four digits (RFC 5280 section 4.1.2.5). */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return digits < '2050' ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits))
}
