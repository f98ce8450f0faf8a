import type { Client, ClientOptions, Credential, EndpointEntry } from '@wp/client'
import type { Context } from './context.ts'
import type { StoredCredential } from './credentials/credential.ts'
import { type CredentialStore, createCredentialStore, resolveBaseUrl } from './credentials/credential-store.ts'
import { createTokenSource } from './credentials/session-tokens.ts'
import { AuthenticationRequiredError, UsageError } from './errors.ts'
import type { ConnectionFlags } from './flag-types.ts'

export type { ConnectionFlags }

/** A method and path; `stream` sends the body as it is. */
type RawEndpoint = Pick<EndpointEntry, 'method' | 'path' | 'input'>

/** A client of the platform for one command. */
export interface Connection {
  client: Client
  baseUrl: string
  /** The source of the credential. */
  source: ResolvedCredential['source']
  /**
   * Sends a request that the client has no method for, with its credential and retries, and returns the response.
   * @throws ApiError for an error response
   */
  open(endpoint: RawEndpoint, input: { query?: Record<string, unknown>; body?: unknown }): Promise<Response>
  /** Returns the headers that authenticate a request which the client has no method for. */
  headers(): Promise<Record<string, string>>
}

/**
 * Connects to the platform with the credential of the environment or the stored one. The modules are loaded on demand.
 */
export async function connect(
  context: Context,
  flags: ConnectionFlags,
  limits: { timeoutMs?: number; maxRetries?: number } = {},
): Promise<Connection> {
  const { createClient } = await import('./create-client.ts')
  const store = createCredentialStore(context)
  const baseUrl = await resolveBaseUrl(context, store)
  const resolved = await resolveCredential(context, store, baseUrl)
  const anonymous = createClient({ baseUrl, credential: { session: true }, ...limits })
  const credential = toCredential(resolved, (session) =>
    createTokenSource(session, anonymous, (refreshed) => store.update(baseUrl, refreshed), context.now),
  )
  const stored = resolved.source === 'store' ? resolved.workspaceId : undefined
  const workspaceId = flags.workspace ?? (context.env.WP_WORKSPACE || stored)
  const workspace = workspaceId === undefined ? {} : { workspaceId }
  const options = { baseUrl, credential, ...workspace, ...limits }
  return {
    client: createClient(options),
    open: async (endpoint, input) => openEndpoint(options, endpoint, input),
    baseUrl,
    source: resolved.source,
    headers: async () => ({
      ...(await authHeaders(credential)),
      ...(workspaceId === undefined ? {} : { 'x-workspace-key': workspaceId }),
    }),
  }
}

async function openEndpoint(
  options: ClientOptions,
  endpoint: RawEndpoint,
  input: { query?: Record<string, unknown>; body?: unknown },
): Promise<Response> {
  const { createClientFromTable } = await import('@wp/client/browser')
  const client = createClientFromTable(options, [
    { ...endpoint, id: 'api.open', isLong: true, result: { kind: 'file' } },
  ])
  const { api } = client as unknown as { api: { open(input: object): Promise<Response> } } // made from the table above
  return api.open(input)
}

type CommandCredential = Extract<Credential, { apiKey: string } | { accessToken: unknown }>
type Session = Parameters<typeof createTokenSource>[0]

function toCredential(
  resolved: ResolvedCredential,
  tokensOf: (session: Session) => () => Promise<string>,
): CommandCredential {
  if (resolved.source === 'WP_API_KEY') return { apiKey: resolved.apiKey }
  if (resolved.source === 'WP_TOKEN') return { accessToken: resolved.accessToken }
  const { credential } = resolved
  return credential.type === 'api_key' ? { apiKey: credential.api_key } : { accessToken: tokensOf(credential) }
}

async function authHeaders(credential: CommandCredential): Promise<Record<string, string>> {
  if ('apiKey' in credential) return { 'x-api-key': credential.apiKey }
  const { accessToken } = credential
  return { authorization: `Bearer ${typeof accessToken === 'string' ? accessToken : await accessToken()}` }
}

/** The credential of a command, and where it comes from. */
type ResolvedCredential =
  | { source: 'WP_API_KEY'; apiKey: string }
  | { source: 'WP_TOKEN'; accessToken: string }
  | { source: 'store'; credential: StoredCredential; workspaceId: string | undefined }

/**
 * Returns the credential of the environment, or else the stored one. @throws AuthenticationRequiredError if there is
 * none
 */
async function resolveCredential(
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
