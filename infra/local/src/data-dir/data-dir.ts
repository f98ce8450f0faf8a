import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceName } from '@wp/contracts'
import type { Passwords } from '@wp/database'

/** The paths of everything that a local fleet keeps between runs. */
export interface DataDir {
  root: string
  postgres: string
  nats: string
  keys: string
  envFiles: string
  logFile: string
  kekFile: string
  passwordsFile: string
  credentialsFile: string
  lockFile: string
}

export const resolveDataDir = (root: string): DataDir => ({
  root,
  postgres: join(root, 'postgres'),
  nats: join(root, 'nats'),
  keys: join(root, 'keys'),
  envFiles: join(root, 'env'),
  logFile: join(root, 'logs/fleet.log'),
  kekFile: join(root, 'kek'),
  passwordsFile: join(root, 'passwords.json'),
  credentialsFile: join(root, 'credentials.json'),
  lockFile: join(root, 'lock'),
})

/**
 * Returns the key encryption key, base64 of 32 random bytes. Created once; encrypted data cannot be read without it.
 */
export function loadOrCreateKek({ kekFile }: DataDir): string {
  if (!existsSync(kekFile)) writePrivateFile(kekFile, randomBytes(32).toString('base64'))
  return readFileSync(kekFile, 'utf8').trim()
}

/** Returns the passwords of each service's database roles, and creates those that are missing. */
export function loadOrCreatePasswords({ passwordsFile }: DataDir, services: readonly ServiceName[]) {
  const kept: Partial<Record<ServiceName, Required<Omit<Passwords, 'operators'>>>> = existsSync(passwordsFile)
    ? JSON.parse(readFileSync(passwordsFile, 'utf8'))
    : {}
  const password = () => randomBytes(18).toString('base64url')
  const all = new Map(
    services.map((name) => [name, kept[name] ?? { owner: password(), app: password(), worker: password() }]),
  )
  if (services.some((name) => kept[name] === undefined))
    writePrivateFile(passwordsFile, JSON.stringify(Object.fromEntries(all), null, 2))
  return all
}

/** Writes a file atomically, readable by its owner only. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/**
 * Formats an environment as a file for `node --env-file`. Each value is quoted with a character that it does not
 * contain, because a bare `#` starts a comment. Nothing is interpreted inside single quotes and backticks.
 */
export function formatEnvFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => {
      const quote = ["'", '`', '"'].find((mark) => !value.includes(mark))
      if (quote === undefined) throw new Error(`${name} contains every kind of quote`)
      return `${name}=${quote}${value}${quote}\n`
    })
    .join('')
}
