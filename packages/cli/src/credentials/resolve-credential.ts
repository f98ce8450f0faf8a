import type { Context } from '../context.ts'
import { AuthenticationRequiredError, UsageError } from '../errors.ts'
import type { StoredCredential } from './credential.ts'
import type { CredentialStore } from './credential-store.ts'

/** The credential of a command, and where it comes from. */
export type ResolvedCredential =
  | { source: 'WP_API_KEY'; apiKey: string }
  | { source: 'WP_TOKEN'; accessToken: string }
  | { source: 'store'; credential: StoredCredential; workspaceId: string | undefined }

/**
 * Returns the credential of the environment, or else the stored one. @throws AuthenticationRequiredError if there is
 * none
 */
export async function resolveCredential(
  { env }: Pick<Context, 'env'>,
  store: CredentialStore,
  baseUrl: string,
): Promise<ResolvedCredential> {
  const { WP_API_KEY: apiKey, WP_TOKEN: accessToken } = env
  if (apiKey && accessToken) throw new UsageError('WP_API_KEY and WP_TOKEN are both set; unset one of them')
  if (apiKey) return { source: 'WP_API_KEY', apiKey }
  if (accessToken) return { source: 'WP_TOKEN', accessToken }
  const stored = await store.read(baseUrl)
  if (stored !== undefined) return { source: 'store', ...stored }
  throw new AuthenticationRequiredError(`not signed in to ${baseUrl}; run wp login, or set WP_API_KEY or WP_TOKEN`)
}
