import { z } from 'zod'

/** Somebody as a provider knows them. */
export interface ProviderIdentity {
  issuer: string
  /** Theirs for good, unlike an address. */
  subject: string
  /** In lower case; only an address the provider has verified itself. */
  email: string | undefined
}

const EmailAddress = z.email().max(254)

/**
 * An address as a provider wrote it; undefined where it is none that we would take from anybody. In particular none
 * beyond ASCII, of which lower case makes another's: a KELVIN SIGN becomes a `k`.
 */
export function normalizeEmail(email: unknown): string | undefined {
  return EmailAddress.safeParse(email).data?.toLowerCase()
}

/** What a sign-in with a provider is begun with, and must come back with. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  /** PKCE (RFC 7636), between us and the provider. */
  verifier: string
}

/** A place where people have an account already. */
export interface Provider {
  /** Where the browser is sent. @param callbackUrl where it comes back to */
  authorizationUrl(request: AuthorizationRequest, callbackUrl: string): Promise<URL>
  /**
   * Who came back.
   * @param callbackUrl the address the browser came back to, as the provider made it
   * @throws Error when the answer does not hold: what is wrong with it is for the log alone
   */
  fetchIdentity(attempt: AuthorizationRequest, callbackUrl: URL): Promise<ProviderIdentity>
}

/** Providers by their names. */
export const providerNames = ['google', 'github'] as const
export type ProviderName = (typeof providerNames)[number]
