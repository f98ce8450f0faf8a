import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { type Account, type Config, configPath, readConfig, writeConfig } from './config-file.ts'
import { readStoredCredential, type StoredCredential } from './credential.ts'
import { readFromKeyring, removeFromKeyring, writeToKeyring } from './keyring.ts'

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
