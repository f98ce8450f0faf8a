import { type ClientCertificate, secretsOfHeader } from '@wp/outbound'
import type { Sealer } from '@wp/service'
import type { AccessTokens } from './access-tokens.ts'
import { type Authentication, openAuthentication } from './authentication.ts'
import { basicCredentials } from './request-token.ts'

/** The part of a claimed delivery that names its authentication. */
export interface AuthenticatedDelivery {
  webhookId: string
  authenticationSealed: string | null
}

/** The headers and certificate with which a request authenticates at an endpoint. */
export interface EndpointCredentials {
  headers: Record<string, string>
  clientCertificate?: ClientCertificate
  /** Texts that a record of the attempt must not contain. */
  secrets: readonly string[]
  /** Drops an access token of an earlier attempt that the endpoint rejected, so that another one is requested. */
  rejectCachedToken?: () => void
}

/** Returns the credentials of an attempt. @throws AuthenticationError; OutboundError `aborted` at shutdown */
export async function getEndpointCredentials(
  { sealer, accessTokens }: { sealer: Sealer; accessTokens: AccessTokens },
  { webhookId, authenticationSealed: sealed }: AuthenticatedDelivery,
): Promise<EndpointCredentials> {
  if (sealed === null) return { headers: {}, secrets: [] }
  const authentication = openAuthentication(sealer, webhookId, sealed)
  if (authentication.type !== 'oauth2_client_credentials') return staticCredentials(authentication)
  const { value, isCached } = await accessTokens.get(sealed, authentication)
  return {
    headers: { authorization: `Bearer ${value}` },
    secrets: [value, authentication.client_secret],
    ...(isCached ? { rejectCachedToken: () => accessTokens.reject(sealed, value) } : {}),
  }
}

function staticCredentials(
  authentication: Exclude<Authentication, { type: 'oauth2_client_credentials' }>,
): EndpointCredentials {
  if (authentication.type === 'mtls') {
    const { certificate, private_key: privateKey } = authentication
    return { headers: {}, clientCertificate: { certificate, privateKey }, secrets: [] }
  }
  const { username, password } = authentication
  const authorization = basicCredentials(username, password)
  return { headers: { authorization }, secrets: secretsOfHeader(authorization).slice(1) }
}
