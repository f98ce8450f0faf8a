import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createScratchFolder } from '../servers/process/scratch.ts'
import { createCertificate } from './x509.ts'

/** A server's certificate and private key, in PEM. */
export type ServerCertificate = { certificate: string; key: string }

export type IssueOptions = {
  /** The host names and IP addresses of the certificate. */
  names: string[]
  /** Default: an hour ago. */
  notBefore?: Date
  /** Default: in 30 days. */
  notAfter?: Date
}

export type CertificateAuthority = {
  /** The authority's own certificate, in PEM. */
  certificate: string
  /** The path of a file with the same, for OUTBOUND_CA_FILE and NODE_EXTRA_CA_CERTS. */
  file: string
  issue(options: IssueOptions): ServerCertificate
}

const hourMs = 3_600_000
const tenYearsMs = 10 * 365 * 24 * hourMs

/** Creates a certificate authority with EC P-256 keys. Takes about 1 ms. */
export function createAuthority(subject = 'Test certificate authority'): CertificateAuthority {
  const key = generateKey()
  const certificate = createCertificate({ subject, issuer: subject, key, issuerKey: key, ...validity() })
  const file = join(createScratchFolder('authority'), 'authority.pem')
  writeFileSync(file, certificate)
  return toAuthority({ subject, key, certificate, file })
}

/**
 * Returns the certificate authority in a folder (`ca.pem` and `ca.key`), and creates it if it does not exist. Clients
 * that trust it keep trusting it. It is valid for ten years.
 */
export function loadOrCreateAuthority(folder: string, subject = 'Local certificate authority'): CertificateAuthority {
  const [file, keyFile] = [join(folder, 'ca.pem'), join(folder, 'ca.key')]
  if (!existsSync(file) || !existsSync(keyFile)) {
    mkdirSync(folder, { recursive: true })
    const key = generateKey()
    const notAfter = new Date(Date.now() + tenYearsMs)
    writeFileSync(keyFile, toPem(key), { mode: 0o600 })
    writeFileSync(file, createCertificate({ subject, issuer: subject, key, issuerKey: key, ...validity({ notAfter }) }))
  }
  return toAuthority({
    subject,
    key: createPrivateKey(readFileSync(keyFile)),
    certificate: readFileSync(file, 'utf8'),
    file,
  })
}

function toAuthority(own: {
  subject: string
  key: KeyObject
  certificate: string
  file: string
}): CertificateAuthority {
  return {
    certificate: own.certificate,
    file: own.file,
    issue({ names, ...limits }) {
      const key = generateKey()
      const subject = names[0] ?? ''
      const plan = { subject, issuer: own.subject, key, issuerKey: own.key, names, ...validity(limits) }
      return { certificate: createCertificate(plan), key: toPem(key) }
    },
  }
}

/** Creates a self-signed certificate, which clients reject. */
export function createSelfSigned({ names, ...limits }: IssueOptions): ServerCertificate {
  const key = generateKey()
  const subject = names[0] ?? ''
  const certificate = createCertificate({ subject, issuer: subject, key, issuerKey: key, names, ...validity(limits) })
  return { certificate, key: toPem(key) }
}

let sharedAuthority: CertificateAuthority | undefined

/**
 * Returns the authority of this process. A fleet that trusts it also trusts receivers that start later, which is why it
 * is state at module level.
 */
export function testAuthority(): CertificateAuthority {
  sharedAuthority ??= createAuthority()
  return sharedAuthority
}

function generateKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

function validity({ notBefore, notAfter }: { notBefore?: Date; notAfter?: Date } = {}) {
  return {
    notBefore: notBefore ?? new Date(Date.now() - hourMs),
    notAfter: notAfter ?? new Date(Date.now() + 30 * 24 * hourMs),
  }
}
