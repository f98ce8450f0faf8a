import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { readStoredCredential, type StoredCredential } from './credential.ts'

/** Address of the platform that `npm start` runs on this machine. */
const localBaseUrl = 'http://127.0.0.1:8080'

/** Name under which the keyring of the operating system lists the entries. */
const service = 'wp'

/** Credentials of this user: in the keyring of the operating system or, without one, in a file. */
export interface CredentialStore {
  /** Address of the platform that was signed in to last. */
  currentBaseUrl(): Promise<string | undefined>
  read(baseUrl: string): Promise<{ credential: StoredCredential; workspaceId: string | undefined } | undefined>
  /** Stores the credential and makes its platform the current one. Returns the place. */
  write(baseUrl: string, credential: StoredCredential, workspaceId: string | undefined): Promise<string>
  /** Replaces the tokens of a session that was refreshed. */
  update(baseUrl: string, credential: StoredCredential): Promise<void>
  /** Returns false if there was none. */
  remove(baseUrl: string): Promise<boolean>
}

export function createCredentialStore({ env }: Pick<Context, 'env'>): CredentialStore {
  const path = configPath(env)
  const mayUseKeyring = env.WP_CREDENTIAL_STORE !== 'file'

  async function save(
    baseUrl: string,
    credential: StoredCredential,
    account: Account,
    current: Pick<Config, 'base_url'> = {},
  ): Promise<string> {
    const { is_in_keyring: _place, credential: _previous, ...kept } = account
    const isInKeyring = mayUseKeyring && (await writeToKeyring(baseUrl, JSON.stringify(credential)))
    const config = await readConfig(path)
    const saved: Account = { ...kept, ...(isInKeyring ? { is_in_keyring: true } : { credential }) }
    await writeConfig(path, { ...config, ...current, accounts: { ...config.accounts, [baseUrl]: saved } })
    return isInKeyring ? 'the keyring' : path
  }

  return {
    currentBaseUrl: async () => (await readConfig(path)).base_url,
    async read(baseUrl) {
      const account = (await readConfig(path)).accounts[baseUrl]
      if (account === undefined) return undefined
      const credential = readStoredCredential(account.is_in_keyring ? await readSecret(baseUrl) : account.credential)
      return credential === undefined ? undefined : { credential, workspaceId: account.workspace_id }
    },
    write: (baseUrl, credential, workspaceId) =>
      save(baseUrl, credential, workspaceId === undefined ? {} : { workspace_id: workspaceId }, { base_url: baseUrl }),
    async update(baseUrl, credential) {
      await save(baseUrl, credential, (await readConfig(path)).accounts[baseUrl] ?? {})
    },
    async remove(baseUrl) {
      const config = await readConfig(path)
      const { [baseUrl]: removed, ...accounts } = config.accounts
      if (removed === undefined) return false
      if (removed.is_in_keyring) await removeFromKeyring(baseUrl)
      await writeConfig(path, { ...config, accounts })
      return true
    },
  }
}

async function readSecret(baseUrl: string): Promise<unknown> {
  try {
    return JSON.parse((await readFromKeyring(baseUrl)) ?? 'null')
  } catch (cause) {
    throw new UsageError('the keyring cannot be read; unlock it, or sign in with WP_CREDENTIAL_STORE=file', { cause })
  }
}

/** Returns the entry of a platform; undefined if there is none. @throws Error if there is no keyring */
async function readFromKeyring(baseUrl: string): Promise<string | undefined> {
  const entry = await openEntry(baseUrl)
  return (await entry.getPassword()) ?? undefined
}

/** Returns false if this machine has no usable keyring, as most servers and containers. */
async function writeToKeyring(baseUrl: string, secret: string): Promise<boolean> {
  try {
    const entry = await openEntry(baseUrl)
    await entry.setPassword(secret)
    return (await entry.getPassword()) === secret
  } catch {
    return false
  }
}

async function removeFromKeyring(baseUrl: string): Promise<void> {
  const entry = await openEntry(baseUrl)
  await entry.deletePassword()
}

async function openEntry(baseUrl: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  // The kernel's keyring, the other one of Linux, does not outlive the user's sessions.
  return new AsyncEntry(service, baseUrl, { linux: { store: 'secret-service' } })
}

/** The data stored for one platform. */
interface Account {
  workspace_id?: string
  /** True if the credential is in the keyring of the operating system. */
  is_in_keyring?: boolean
  /** The credential, if it is not in the keyring. */
  credential?: unknown
}

interface Config {
  /** Address of the platform that commands use. */
  base_url?: string
  /** Accounts by the address of their platform, so that a credential is only sent to the platform it is for. */
  accounts: Readonly<Record<string, Account>>
}

/** Returns the path of the file by the XDG Base Directory Specification. */
const configPath = (env: Readonly<Partial<Record<string, string>>>): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'wp', 'credentials.json')

async function readConfig(path: string): Promise<Config> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { accounts: {} }
    throw error
  }
  try {
    const { base_url, accounts } = JSON.parse(text)
    return { ...(typeof base_url === 'string' ? { base_url } : {}), accounts: { ...accounts } }
  } catch (cause) {
    throw new UsageError(`${path} is not valid JSON; repair or delete it`, { cause })
  }
}

/** Replaces the file, which only the user can read. Another process sees the old content or the new one. */
async function writeConfig(path: string, config: Config): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  try {
    await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Returns the address of the platform: WP_BASE_URL, or that of the last sign-in, or the platform on this machine. */
export async function resolveBaseUrl({ env }: Pick<Context, 'env'>, store: CredentialStore): Promise<string> {
  if (env.WP_BASE_URL) return parseBaseUrl(env.WP_BASE_URL, 'WP_BASE_URL')
  return (await store.currentBaseUrl()) ?? localBaseUrl
}

/** @throws UsageError that names the source of the value */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${source}: ${JSON.stringify(text)} must be an address such as https://api.example.com`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
