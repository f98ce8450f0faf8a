import { join } from 'node:path'
import { dataDirOf, readArguments } from '../options.ts'
import { shortenPath } from '../start-summary.ts'
import { UsageError } from '../usage-error.ts'
import { type WrittenCertificate, writeCertificate } from './certificate.ts'

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
