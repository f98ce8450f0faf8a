import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Identity {
  key: string
  cert: string
}

/** A certificate authority that lives as long as the test: X.509 written by hand, so that no program is needed. */
export function createAuthority(commonName = 'Test Authority') {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = { subject: commonName, publicKey: authority.publicKey, extensions: [basicConstraints, keyCertSign] }
  const cert = certificate({ ...own, issuer: commonName, signer: authority.privateKey })
  return {
    cert,
    /** A server's key and certificate for these names and addresses, valid for a day around `at`. */
    issue(hosts: string[], at = new Date()): Identity {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const leaf = { subject: hosts[0] ?? 'nobody', publicKey, extensions: [alternativeNames(hosts)], at }
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: certificate({ ...leaf, issuer: commonName, signer: authority.privateKey }),
      }
    },
  }
}

interface CertificateFields {
  subject: string
  issuer: string
  publicKey: KeyObject
  signer: KeyObject
  extensions: Buffer[]
  at?: Date
}

// The ASN.1 of RFC 5280, section 4.1.
function certificate({ subject, issuer, publicKey, signer, extensions, at = new Date() }: CertificateFields): string {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const dayMs = 86_400_000
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name(issuer),
    sequence(time(new Date(at.getTime() - dayMs)), time(new Date(at.getTime() + dayMs))),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const der = sequence(body, algorithm, bitString(sign('sha256', body, signer)))
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const yes = Buffer.from([0x01, 0x01, 0xff])
const basicConstraints = sequence(oid('2.5.29.19'), yes, tagged(0x04, sequence(yes)))
const keyCertSign = sequence(oid('2.5.29.15'), yes, tagged(0x04, Buffer.from([0x03, 0x02, 0x02, 0x04])))

function alternativeNames(hosts: string[]): Buffer {
  const names = hosts.map((host) => (isIP(host) ? tagged(0x87, ipBytes(host)) : tagged(0x82, Buffer.from(host))))
  return sequence(oid('2.5.29.17'), tagged(0x04, sequence(...names)))
}

function ipBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  if (address === '::1') return Buffer.from([...Array(15).fill(0), 1])
  throw new Error(`no test needs a certificate for ${address}`)
}

function name(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from(commonName)))))
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')))
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const base128 = (value: number): number[] => {
    const bytes = [value & 0x7f]
    for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
    return bytes
  }
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes)
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
