/** The platform as browsers know it, to which its passkeys are bound (WebAuthn section 4, "Relying Party"). */
export interface RelyingParty {
  /** The host of the public address. */
  id: string
  origins: readonly string[]
}

/** Returns the relying party of the public address: passkeys work on its pages alone. */
export function relyingPartyOf(publicBaseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicBaseUrl)
  return { id: hostname, origins: [origin] }
}
