import { z } from 'zod'

/** Somebody as a provider knows them. */
export interface Person {
  issuer: string
  /** Theirs for good, unlike an address. */
  subject: string
  /** In lower case; only an address the provider has verified itself. */
  email: string | undefined
}

const Address = z.email().max(254)

/**
 * An address as a provider wrote it; undefined where it is none that we would take from anybody. In particular none
 * beyond ASCII, of which lower case makes another's: a KELVIN SIGN becomes a `k`.
 */
export function addressOf(email: unknown): string | undefined {
  return Address.safeParse(email).data?.toLowerCase()
}

/** What a sign-in with a provider is begun with, and must come back with. */
export interface Attempt {
  state: string
  nonce: string
  /** PKCE (RFC 7636), between us and the provider. */
  verifier: string
}

/** A place where people have an account already. */
export interface Provider {
  /** Where the browser is sent. @param callbackUrl where it comes back to */
  authorizationUrl(attempt: Attempt, callbackUrl: string): Promise<URL>
  /**
   * Who came back.
   * @param answer the address the browser came back to, as the provider made it
   * @throws Error when the answer does not hold: what is wrong with it is for the log alone
   */
  person(attempt: Attempt, answer: URL): Promise<Person>
}

/** Providers by their names. */
export const providerNames = ['google', 'github'] as const
export type ProviderName = (typeof providerNames)[number]
