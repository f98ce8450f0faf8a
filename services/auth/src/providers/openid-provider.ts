import { toMailAddress } from '@wp/contracts'
import * as oidc from 'openid-client'
import type { AuthorizationRequest, Provider } from './provider.ts'

export interface OpenIdOptions {
  issuer: string
  clientId: string
  clientSecret: string
  fetch: oidc.CustomFetch
  /** Default `openid email`. */
  scope?: string
  /** Milliseconds since 1970. */
  now: () => number
}

/** A provider whose claims can be read as they are. */
export interface OpenIdProvider extends Provider {
  /** Completes the authorization and returns the claims of the verified ID token. @throws Error if it is invalid */
  fetchClaims(request: AuthorizationRequest, callbackUrl: URL): Promise<oidc.IDToken>
  /** Reads the metadata of the issuer. @throws Error if there is none, or of another issuer */
  checkMetadata(): Promise<void>
}

/** Maximum length of `sub` (OpenID Connect Core 1.0 section 2). */
const maxSubjectLength = 255
/** Difference of the clocks of provider and platform that is accepted. */
const clockToleranceSeconds = 30
/** Lifetime of cached provider metadata. */
const metadataLifetimeMs = 3_600_000

/**
 * Creates an OpenID Connect provider, such as Google: authorization code flow with PKCE and nonce. The signature of the
 * ID token is verified although the token comes directly from the provider, where the standard makes that optional
 * (OpenID Connect Core 1.0 section 3.1.3.7). Longer than most functions: its steps share the metadata of the provider.
 */
export function createOpenIdProvider({
  issuer,
  clientId,
  clientSecret,
  fetch,
  scope = 'openid email',
  now,
}: OpenIdOptions): OpenIdProvider {
  let discovery: { client: Promise<oidc.Configuration>; expiresAtMs: number } | undefined

  function discover(): Promise<oidc.Configuration> {
    if (discovery !== undefined && discovery.expiresAtMs > now()) return discovery.client
    const metadata = { [oidc.clockTolerance]: clockToleranceSeconds }
    const client = oidc.discovery(new URL(issuer), clientId, metadata, oidc.ClientSecretBasic(clientSecret), {
      [oidc.customFetch]: fetch,
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
    })
    const current = { client, expiresAtMs: now() + metadataLifetimeMs }
    discovery = current
    client.catch(() => {
      if (discovery === current) discovery = undefined
    })
    return client
  }

  async function fetchClaims(
    { state, nonce, verifier }: AuthorizationRequest,
    callbackUrl: URL,
  ): Promise<oidc.IDToken> {
    const tokens = await oidc.authorizationCodeGrant(await discover(), callbackUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('the token response contains no ID token')
    if (claims.sub.length > maxSubjectLength)
      throw new Error(`the subject is longer than ${maxSubjectLength} characters`)
    return claims
  }

  return {
    fetchClaims,
    async checkMetadata() {
      await discover()
    },
    async buildAuthorizationUrl({ state, nonce, verifier }, callbackUrl) {
      return oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: callbackUrl,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async fetchIdentity(request, callbackUrl) {
      const claims = await fetchClaims(request, callbackUrl)
      const { iss: issuer, sub: subject, email, email_verified: isVerified } = claims
      return {
        issuer,
        subject,
        email: isVerified === true && typeof email === 'string' ? toMailAddress(email) : undefined,
      }
    },
  }
}
