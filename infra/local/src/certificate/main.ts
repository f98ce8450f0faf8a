import { isIP } from 'node:net'
import { join } from 'node:path'
import { type CertificateAuthority, loadOrCreateAuthority } from '@wp/testkit'
import { writePrivateFile } from '../data-dir/data-dir.ts'
import { dataDirOf, readArguments } from '../options.ts'
import { shortenPath } from '../start-summary.ts'
import { UsageError } from '../usage-error.ts'

const dayMs = 86_400_000
/** The longest validity that common TLS clients accept is 398 days. */
const validityDays = 397

/** Labels of letters, digits and hyphens (RFC 1123, 2.1). */
const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

// npm run certificate: writes a certificate for a webhook receiver on this machine.
const usage = `npm run certificate -- [options] <name> ...
  <name>                host name or IP address of the receiver; localhost includes 127.0.0.1 and ::1
  --environment <name>  the environment of npm start, development or sandbox (development)
  --data-dir <folder>   the data folder of npm start (DATA_DIR, .local)
  --help                print this text
`

const root = join(import.meta.dirname, '../../../..')
const flags = { environment: { type: 'string' }, 'data-dir': { type: 'string' }, help: { type: 'boolean' } } as const

try {
  const help = 'npm run certificate -- --help'
  const { values, positionals } = readArguments(process.argv.slice(2), flags, { help, allowPositionals: true })
  if (values.help === true) process.stdout.write(usage)
  else {
    if (positionals.length === 0) throw new UsageError(`a host name is missing, such as localhost; ${help} explains it`)
    const dataDir = dataDirOf(values, process.env, root)
    process.stdout.write(describe(writeCertificate(dataDir, positionals, Date.now())))
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`certificate: ${error.message}\n`)
  process.exitCode = 1
}

function describe({ names, notAfter, certificateFile, keyFile, authorityFile }: WrittenCertificate): string {
  return `certificate for ${names.join(', ')}, valid until ${notAfter.toISOString().slice(0, 10)}
  certificate   ${shortenPath(certificateFile)}
  key           ${shortenPath(keyFile)}
  issued by     ${shortenPath(authorityFile)}, which npm start trusts
`
}

/** A certificate on disk, for a server on this machine. */
interface WrittenCertificate {
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
function writeCertificate(dataDir: string, given: readonly string[], nowMs: number): WrittenCertificate {
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

function requireName(name: string): string {
  // A zone identifier, which Node accepts in an IPv6 address, has no place in a certificate.
  if ((isIP(name) !== 0 && !name.includes('%')) || hostName.test(name)) return name
  throw new UsageError(`${JSON.stringify(name)} is not a host name or an IP address`)
}
