import { createHash } from 'node:crypto'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion, PasskeyAttestation } from '@wp/contracts'
import type { PasskeyRefusal } from './client-data.ts'
import type { RelyingParty } from './relying-party.ts'

/** Algorithms of COSE that are offered and accepted, best first: Ed25519, ECDSA with P-256, RSA. */
export const supportedAlgorithms = [-8, -7, -257]

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

interface NewCredential extends StoredCredential {
  isSynced: boolean
}

/** Verifies a new credential, after the page and the challenge were checked. */
export async function verifyAttestation(
  attestation: PasskeyAttestation,
  { challenge, relyingParty }: { challenge: string; relyingParty: RelyingParty },
): Promise<NewCredential | { refusal: PasskeyRefusal }> {
  const { id, rawId, type, response } = attestation
  const { clientDataJSON, attestationObject } = response
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const refusal = refuseAuthenticatorData(parseAuthenticatorData(decoded.get('authData')), relyingParty)
    if (refusal !== undefined) return { refusal }
    if (hasCertificates(decoded)) return { refusal: 'attestation' }
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: supportedAlgorithms,
    })
    if (!verified || registrationInfo.credential.id !== id) return { refusal: 'wrong_signature' }
    const { credential, credentialBackedUp } = registrationInfo
    const { publicKey, counter } = credential
    return { credentialId: id, publicKey, counter, isSynced: credentialBackedUp }
  } catch {
    return { refusal: 'malformed' }
  }
}

/**
 * Returns true for an attestation that names certificates. None was requested, so browsers send `none` or a signature
 * of the key itself; the library would fetch the revocation lists that certificates name, from addresses of the sender.
 */
function hasCertificates(decoded: ReturnType<typeof decodeAttestationObject>): boolean {
  const format = decoded.get('fmt')
  return format !== 'none' && (format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined)
}
