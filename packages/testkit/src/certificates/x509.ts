import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP, SocketAddress } from 'node:net'
import {
  bitString,
  booleanTrue,
  explicitTag,
  implicitTag,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts'

export type CertificateOptions = {
  subject: string
  issuer: string
  /** The key of the subject, public or private. */
  key: KeyObject
  /** The issuer's private key. */
  issuerKey: KeyObject
  notBefore: Date
  notAfter: Date
  /** The host names and IP addresses of a server or client. Undefined: the certificate of an authority. */
  names?: string[]
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))

/** Creates an X.509 version 3 certificate (RFC 5280), signed with ECDSA and SHA-256, in PEM. */
export function createCertificate(plan: CertificateOptions): string {
  const publicKey = createPublicKey(plan.key).export({ type: 'spki', format: 'der' })
  const issuerPublicKey = createPublicKey(plan.issuerKey).export({ type: 'spki', format: 'der' })
  const body = sequence(
    explicitTag(0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(plan.issuer),
    sequence(time(plan.notBefore), time(plan.notAfter)),
    commonName(plan.subject),
    publicKey,
    explicitTag(
      3,
      sequence(
        extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
        extension('2.5.29.35', sequence(implicitTag(0, keyIdentifier(issuerPublicKey)))),
        ...(plan.names ? leafExtensions(plan.names) : authorityExtensions()),
      ),
    ),
  )
  const certificate = sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, plan.issuerKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function authorityExtensions(): Buffer[] {
  const basicConstraints = sequence(booleanTrue)
  const certSignAndCrlSign = bitString(Buffer.of(0b0000_0110), 1)
  return [extension('2.5.29.19', basicConstraints, true), extension('2.5.29.15', certSignAndCrlSign, true)]
}

function leafExtensions(names: string[]): Buffer[] {
  const digitalSignature = bitString(Buffer.of(0b1000_0000), 7)
  const serverAndClient = sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'), objectIdentifier('1.3.6.1.5.5.7.3.2'))
  return [
    extension('2.5.29.19', sequence(), true),
    extension('2.5.29.15', digitalSignature, true),
    extension('2.5.29.37', serverAndClient),
    extension('2.5.29.17', sequence(...names.map(alternativeName))),
  ]
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [booleanTrue] : []), octetString(value))
}

function alternativeName(name: string): Buffer {
  return isIP(name) ? implicitTag(7, addressBytes(name)) : implicitTag(2, Buffer.from(name))
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // Normalizes an IPv4 suffix, then expands `::`.
  const parsed = new SocketAddress({ address, family: 'ipv6' }).address
  const [left = '', right] = parsed.split('::').map((half) => half.split(':').filter(Boolean))
  const tail = right ?? []
  const groups = [...left, ...Array<string>(8 - left.length - tail.length).fill('0'), ...tail]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(name))))
}

function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, 20)
}
