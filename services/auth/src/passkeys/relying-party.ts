/** The platform as browsers know it, to which its passkeys are bound (WebAuthn section 4, "Relying Party"). */
export interface RelyingParty {
  /** The host of the public address. */
  id: string
  origins: readonly string[]
}

/**
 * Returns the relying party of the public address: passkeys work on its pages alone. Browsers bind them to names, so a
 * public address on the loopback interface has those of `localhost`.
 */
export function relyingPartyOf(publicBaseUrl: string): RelyingParty {
  const url = new URL(publicBaseUrl)
  const { hostname, origin } = url
  if (hostname !== '127.0.0.1') return { id: hostname, origins: [origin] }
  url.hostname = 'localhost'
  return { id: url.hostname, origins: [origin, url.origin] }
}
