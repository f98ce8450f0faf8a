import { invalidField, problem } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import type { Context } from '../context.ts'
import { createOpenIdProvider, type OpenIdProvider } from '../providers/openid-provider.ts'
import type { PendingAuthorization } from '../providers/pending-authorization.ts'
import { hashSecret } from '../secrets/secret.ts'
import { type SsoClaims, takeSamlClaims } from '../store/directory/saml-assertions.ts'
import { findSamlProviderOfWorkspace } from '../store/directory/saml-providers.ts'
import { type SsoConnectionRow, ssoSecretData } from '../store/directory/sso-connections.ts'
import { buildSamlRequestUrl, samlRequestId } from './saml/service-provider.ts'
import { ssoCallbackUrl } from './sso-addresses.ts'

type Connection = Pick<SsoConnectionRow, 'workspaceId' | 'issuer' | 'clientId' | 'secretSealed'>

/** Sign-in method of sessions that began with the connection of a workspace. `resolve` compares it. */
export const ssoMethod = (workspaceId: string): string => `sso:${workspaceId}`

/**
 * Creates the OpenID provider of a connection. Administrators of workspaces choose its address, so it is called through
 * the guarded client. The metadata is read for each sign-in, so that no provider has a place in memory.
 */
export function createSsoProvider(
  { ssoFetch, sealer, now }: Pick<Context, 'ssoFetch' | 'sealer' | 'now'>,
  { workspaceId, issuer, clientId, secretSealed }: Connection,
): OpenIdProvider {
  const clientSecret = sealer.open(secretSealed, ssoSecretData(workspaceId))
  return createOpenIdProvider({ issuer, clientId, clientSecret, fetch: ssoFetch, scope: 'openid email profile', now })
}

/**
 * Reads the metadata of a connection's issuer, to refuse a wrong address when it is entered.
 * @throws Problem `invalid_endpoint`, `bad_gateway`, or `validation_failed` for http
 */
export async function checkSsoProvider(
  context: Pick<Context, 'ssoFetch' | 'sealer' | 'now' | 'isSsoHttpAllowed'>,
  connection: Connection,
): Promise<void> {
  if (!context.isSsoHttpAllowed && !connection.issuer.startsWith('https:'))
    throw invalidField('/issuer', 'must be an https address')
  await createSsoProvider(context, connection)
    .checkMetadata()
    .catch((cause: unknown) => {
      rejectBlockedAddress(cause, '/issuer')
      throw problem('bad_gateway', {
        detail: 'The metadata of the issuer could not be read, or belongs to another issuer',
        cause,
      })
    })
}

/** @throws Problem `invalid_endpoint` if the guarded client refused the address */
export function rejectBlockedAddress(cause: unknown, pointer: string): void {
  const blocked = outboundErrorOf(cause)
  if (blocked?.kind === 'blocked_address') throw invalidField(pointer, blocked.message, 'invalid_endpoint')
}

function outboundErrorOf(error: unknown): OutboundError | undefined {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause !== undefined ? outboundErrorOf(error.cause) : undefined
}

type StartedSignIn = Pick<PendingAuthorization, 'state' | 'nonce' | 'verifier'>

/** Returns the address of the provider at which a sign-in continues. */
export async function buildSsoUrl(
  context: Context,
  connection: SsoConnectionRow,
  request: StartedSignIn,
): Promise<URL> {
  const { workspaceId } = connection
  if (connection.kind === 'saml')
    return await buildSamlRequestUrl(
      context,
      connection,
      await requireSamlProvider(context, workspaceId),
      request.state,
    )
  return await createSsoProvider(context, connection).buildAuthorizationUrl(
    request,
    ssoCallbackUrl(context.publicBaseUrl, workspaceId),
  )
}

/**
 * Completes a sign-in: returns the claims of the verified ID token, or of the verified assertion that waits for it.
 * @throws Error if the response is not valid
 */
export async function fetchSsoClaims(
  context: Context,
  connection: SsoConnectionRow,
  request: StartedSignIn,
  query: Readonly<Record<string, string | undefined>>,
): Promise<SsoClaims> {
  const { workspaceId } = connection
  if (connection.kind === 'saml') {
    const found = { codeHash: hashSecret(query.code ?? ''), requestId: samlRequestId(request.state) }
    const claims = await takeSamlClaims(context.database.worker, workspaceId, found)
    if (claims === undefined) throw new Error(`no assertion waits for the sign-in: ${query.error_description}`)
    return claims
  }
  const url = new URL(ssoCallbackUrl(context.publicBaseUrl, workspaceId))
  for (const [parameter, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(parameter, value)
  return await createSsoProvider(context, connection).fetchClaims(request, url)
}

/** Returns what the metadata of a SAML connection states. */
export async function requireSamlProvider({ database }: Pick<Context, 'database'>, workspaceId: string) {
  const provider = await findSamlProviderOfWorkspace(database.worker, workspaceId)
  if (provider === undefined) throw new Error(`the SAML connection of ${workspaceId} has no metadata`)
  return provider
}
