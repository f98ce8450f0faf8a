import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from '../errors.ts'

/** The data stored for one platform. */
export interface Account {
  workspace_id?: string
  /** True if the credential is in the keyring of the operating system. */
  is_in_keyring?: boolean
  /** The credential, if it is not in the keyring. */
  credential?: unknown
}

export interface Config {
  /** Address of the platform that commands use. */
  base_url?: string
  /** Accounts by the address of their platform, so that a credential is only sent to the platform it is for. */
  accounts: Readonly<Record<string, Account>>
}

/** Returns the path of the file by the XDG Base Directory Specification. */
export const configPath = (env: Readonly<Partial<Record<string, string>>>): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'wp', 'credentials.json')

export async function readConfig(path: string): Promise<Config> {
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
export async function writeConfig(path: string, config: Config): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  try {
    await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
