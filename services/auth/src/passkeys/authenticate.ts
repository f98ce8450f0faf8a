import type { PasskeyAssertion } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import type { Tx } from '../store/client.ts'
import { lockCredential, recordPasskeyUse, redeemChallenge } from '../store/passkeys/passkeys.ts'
import { type ChallengeUse, readChallenge } from './challenge.ts'
import { type PasskeyRefusal, parseClientData, refusePage } from './client-data.ts'
import { relyingPartyOf } from './relying-party.ts'
import { verifyAssertion } from './verify-passkey.ts'

/** The owner of the passkey that answered a challenge, or why the answer is refused and whose passkey it is. */
export type PasskeyAuthentication = { userId: string } | { refusal: PasskeyRefusal; userId?: string }

/**
 * Authenticates the user of a passkey. The challenge is used up by the first answer, right or wrong, so the transaction
 * must be committed for either result.
 * @param ownerId the only user whose passkey is accepted; default any
 */
export async function authenticateWithPasskey(
  { publicBaseUrl, derivedKeys, now }: Pick<Context, 'publicBaseUrl' | 'derivedKeys' | 'now'>,
  { query }: Tx,
  assertion: PasskeyAssertion,
  use: ChallengeUse,
  ownerId?: string,
): Promise<PasskeyAuthentication> {
  const relyingParty = relyingPartyOf(publicBaseUrl)
  const clientData = parseClientData(assertion.response.clientDataJSON)
  if (clientData === undefined || assertion.id !== assertion.rawId) return { refusal: 'malformed' }
  const { challenge } = clientData
  const read = readChallenge(derivedKeys, challenge, use, now())
  if ('refusal' in read) return read
  if (!(await redeemChallenge(query, hashSecret(challenge), read.expiresAt))) return { refusal: 'challenge_used' }
  const pageRefusal = refusePage(clientData, 'webauthn.get', relyingParty)
  if (pageRefusal !== undefined) return { refusal: pageRefusal }
  const credential = await lockCredential(query, assertion.id)
  if (credential === undefined) return { refusal: 'unknown_credential' }
  const { userId, passkeyId } = credential
  if (!namesUser(assertion, userId, ownerId)) return { refusal: 'other_user', userId }
  const verified = await verifyAssertion(assertion, { challenge, credential, relyingParty })
  if ('refusal' in verified) return { ...verified, userId }
  if (credential.isUserDisabled) return { refusal: 'user_disabled', userId }
  await recordPasskeyUse(query, passkeyId, verified)
  return { userId }
}

/**
 * Returns true if an answer is of the user of its passkey. At a sign-in nothing else names the user, so that the user
 * handle is required (WebAuthn section 7.2); browsers may omit it when the options named the credential.
 */
function namesUser({ response }: PasskeyAssertion, userId: string, ownerId: string | undefined): boolean {
  const handle = response.userHandle ?? undefined
  const isMatching = handle === toUserHandle(userId)
  return ownerId === undefined ? isMatching : ownerId === userId && (handle === undefined || isMatching)
}

/** Returns the user handle that the passkeys of a user carry. */
export const toUserHandle = (userId: string): string => Buffer.from(userId).toString('base64url')
