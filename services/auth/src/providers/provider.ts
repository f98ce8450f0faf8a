/** Somebody as a provider knows them. */
export interface Person {
  issuer: string
  /** Theirs for good, unlike an address. */
  subject: string
  /** In lower case; only an address the provider has verified itself. */
  email: string | undefined
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
