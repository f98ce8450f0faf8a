import { toMailAddress } from '@wp/contracts'
import * as oidc from 'openid-client'
import type { Provider } from './provider.ts'

export interface OpenIdOptions {
  issuer: string
  clientId: string
  clientSecret: string
  fetch: oidc.CustomFetch
  /** Milliseconds since 1970. */
  now: () => number
}

/** Maximum length of `sub` (OpenID Connect Core 1.0 section 2). */
const maxSubjectLength = 255
/** Lifetime of cached provider metadata. */
const metadataLifetimeMs = 3_600_000

/**
 * Creates an OpenID Connect provider, such as Google: authorization code flow with PKCE and nonce. The signature of the
 * ID token is verified although the token comes directly from the provider, where the standard makes that optional
 * (OpenID Connect Core 1.0 section 3.1.3.7).
 */
export function createOpenIdProvider({ issuer, clientId, clientSecret, fetch, now }: OpenIdOptions): Provider {
  let discovery: { client: Promise<oidc.Configuration>; expiresAtMs: number } | undefined

  function discover(): Promise<oidc.Configuration> {
    if (discovery !== undefined && discovery.expiresAtMs > now()) return discovery.client
    const client = oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
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

  return {
    async buildAuthorizationUrl({ state, nonce, verifier }, callbackUrl) {
      return oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: callbackUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async fetchIdentity({ state, nonce, verifier }, callbackUrl) {
      const tokens = await oidc.authorizationCodeGrant(await discover(), callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('the token response contains no ID token')
      const { iss: issuer, sub: subject, email, email_verified: isVerified } = claims
      if (subject.length > maxSubjectLength)
        throw new Error(`the subject is longer than ${maxSubjectLength} characters`)
      return {
        issuer,
        subject,
        email: isVerified === true && typeof email === 'string' ? toMailAddress(email) : undefined,
      }
    },
  }
}
