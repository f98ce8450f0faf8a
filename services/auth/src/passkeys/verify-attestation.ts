import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import type { PasskeyAttestation } from '@wp/contracts'
import type { PasskeyRefusal } from './client-data.ts'
import type { RelyingParty } from './relying-party.ts'
import { refuseAuthenticatorData, type StoredCredential } from './verify-assertion.ts'

/** Algorithms of COSE that are offered and accepted, best first: Ed25519, ECDSA with P-256, RSA. */
export const supportedAlgorithms = [-8, -7, -257]

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
