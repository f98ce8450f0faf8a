import { isIP } from 'node:net'
import { join } from 'node:path'
import { type CertificateAuthority, loadOrCreateAuthority } from '@wp/testkit'
import { writePrivateFile } from '../data-dir/data-dir.ts'
import { UsageError } from '../usage-error.ts'

const dayMs = 86_400_000
/** The longest validity that common TLS clients accept is 398 days. */
const validityDays = 397

/** A certificate on disk, for a server on this machine. */
export interface WrittenCertificate {
  certificateFile: string
  keyFile: string
  /** The certificate of the authority that issued it, which clients must trust. */
  authorityFile: string
  /** The host names and IP addresses of the certificate. */
  names: string[]
  notAfter: Date
}

/**
 * Writes a certificate of the local authority and its key to `<dataDir>/certificates`, under the first name. Replaces
 * earlier ones of this name. Creates the authority if it does not exist; `npm start` trusts it.
 * @throws UsageError if a name is neither a host name nor an IP address
 */
export function writeCertificate(dataDir: string, given: readonly string[], nowMs: number): WrittenCertificate {
  const names = certificateNames(given)
  const notAfter = new Date(nowMs + validityDays * dayMs)
  const authority: CertificateAuthority = loadOrCreateAuthority(dataDir)
  const { certificate, key } = authority.issue({ names, notAfter })
  const base = join(dataDir, 'certificates', (names[0] ?? '').replaceAll(':', '_'))
  const [certificateFile, keyFile] = [`${base}.pem`, `${base}-key.pem`]
  writePrivateFile(keyFile, key)
  writePrivateFile(certificateFile, certificate)
  return { certificateFile, keyFile, authorityFile: authority.file, names, notAfter }
}

/** `localhost` includes the loopback addresses, because clients use them interchangeably. */
function certificateNames(given: readonly string[]): string[] {
  const names = given.map((name) => requireName(name.toLowerCase()))
  return [...new Set(names.flatMap((name) => (name === 'localhost' ? [name, '127.0.0.1', '::1'] : [name])))]
}

/** Labels of letters, digits and hyphens (RFC 1123, 2.1). */
const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

function requireName(name: string): string {
  // A zone identifier, which Node accepts in an IPv6 address, has no place in a certificate.
  if ((isIP(name) !== 0 && !name.includes('%')) || hostName.test(name)) return name
  throw new UsageError(`${JSON.stringify(name)} is not a host name or an IP address`)
}
