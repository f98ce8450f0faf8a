import { invalidField, problem } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import type { Context } from '../context.ts'
import { createOpenIdProvider, type OpenIdProvider } from '../providers/openid-provider.ts'
import { type SsoConnectionRow, ssoSecretData } from '../store/directory/sso-connections.ts'

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
      const blocked = outboundErrorOf(cause)
      if (blocked?.kind === 'blocked_address') throw invalidField('/issuer', blocked.message, 'invalid_endpoint')
      throw problem('bad_gateway', {
        detail: 'The metadata of the issuer could not be read, or belongs to another issuer',
        cause,
      })
    })
}

function outboundErrorOf(error: unknown): OutboundError | undefined {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause !== undefined ? outboundErrorOf(error.cause) : undefined
}

/** Returns the redirect URI of a connection. Each has its own, to prevent mix-up attacks (RFC 9700 section 4.4.2). */
export const ssoCallbackUrl = (publicBaseUrl: string, workspaceId: string): string =>
  `${publicBaseUrl}/v1/auth/login/sso/${workspaceId}/callback`
