/** A user's identity at a provider. */
export interface ProviderIdentity {
  issuer: string
  /** Permanent identifier of the user, unlike the address. */
  subject: string
  /** Lower case; undefined unless the provider has verified the address. */
  email: string | undefined
}

/** Random values of an authorization request, which the callback must match. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  /** PKCE code verifier (RFC 7636) between this service and the provider. */
  verifier: string
}

/** An external identity provider. */
export interface Provider {
  /** Returns the URL that starts the sign-in at the provider. @param callbackUrl redirect URI of this service */
  buildAuthorizationUrl(request: AuthorizationRequest, callbackUrl: string): Promise<URL>
  /**
   * Completes the authorization and returns the user's identity.
   * @param callbackUrl the full URL of the callback, including the provider's parameters
   * @throws Error if the response is invalid; the details are for the log only
   */
  fetchIdentity(request: AuthorizationRequest, callbackUrl: URL): Promise<ProviderIdentity>
}

/** Names of the supported providers. */
export const providerNames = ['google', 'github'] as const
export type ProviderName = (typeof providerNames)[number]
