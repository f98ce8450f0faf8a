import { createHash } from 'node:crypto'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion } from '@wp/contracts'
import type { PasskeyRefusal } from './client-data.ts'
import type { RelyingParty } from './relying-party.ts'

/** A stored passkey, as far as its answers are verified by it. */
export interface StoredCredential {
  credentialId: string
  publicKey: Uint8Array
  counter: number
}

/**
 * Verifies what the authenticator says, after the page and the challenge were checked: the relying party, that it
 * verified its user, the signature, and that its counter goes on. A counter that goes back is a copy of the key
 * (WebAuthn section 6.1.1); authenticators without a counter always send 0.
 */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  {
    challenge,
    credential,
    relyingParty,
  }: { challenge: string; credential: StoredCredential; relyingParty: RelyingParty },
): Promise<{ counter: number; isSynced: boolean } | { refusal: PasskeyRefusal }> {
  const data = parseOrUndefined(assertion.response.authenticatorData)
  if (data === undefined) return { refusal: 'malformed' }
  const refusal = refuseAuthenticatorData(data, relyingParty)
  if (refusal !== undefined) return { refusal }
  if (!(await hasValidSignature(assertion, { challenge, credential, relyingParty })))
    return { refusal: 'wrong_signature' }
  const { counter, flags } = data
  const isCounted = counter > 0 || credential.counter > 0
  if (isCounted && counter <= credential.counter) return { refusal: 'counter_back' }
  return { counter, isSynced: flags.bs }
}

/** Returns why authenticator data is refused: it is of another relying party, or its user was not verified. */
export function refuseAuthenticatorData(
  { rpIdHash, flags }: Pick<ReturnType<typeof parseAuthenticatorData>, 'rpIdHash' | 'flags'>,
  { id }: RelyingParty,
): PasskeyRefusal | undefined {
  if (!createHash('sha256').update(id).digest().equals(rpIdHash)) return 'other_relying_party'
  return flags.up && flags.uv ? undefined : 'user_not_verified'
}

function parseOrUndefined(authenticatorData: string) {
  try {
    return parseAuthenticatorData(new Uint8Array(Buffer.from(authenticatorData, 'base64url')))
  } catch {
    return undefined // too short, or with bytes left over
  }
}

async function hasValidSignature(
  { id, rawId, type, response }: PasskeyAssertion,
  { challenge, credential, relyingParty }: Parameters<typeof verifyAssertion>[1],
): Promise<boolean> {
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      // The counter is compared after the signature: before, anyone could claim that a key was copied.
      credential: { id: credential.credentialId, publicKey: new Uint8Array(credential.publicKey), counter: 0 },
      requireUserVerification: true,
    })
    return verified
  } catch {
    return false // a malformed signature or key, or whatever else the library refuses
  }
}
