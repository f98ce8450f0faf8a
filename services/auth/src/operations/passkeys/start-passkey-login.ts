import { problem } from '@wp/contracts'
import type { Context, Operation } from '../../context.ts'
import { type ChallengeUse, createChallenge } from '../../passkeys/challenge.ts'
import { requestOptions } from '../../passkeys/options.ts'
import { relyingPartyOf } from '../../passkeys/relying-party.ts'
import { listDescriptors, type PasskeyDescriptor } from '../../store/passkeys/passkeys.ts'

/** Returns the options of a sign-in by passkey: the same for everyone, and stored nowhere. */
export const startPasskeyLogin: Operation<'startPasskeyLogin'> = async (
  context,
  _caller,
  { body: { code_challenge: codeChallenge } },
) => createRequest(context, { purpose: 'sign-in', codeChallenge })

/** Returns the options for the re-authentication of the caller's session. */
export const startPasskeyReauthentication: Operation<'startPasskeyReauthentication'> = async (
  context,
  { credentialId: sessionId, principal, workspaceId },
) => {
  const allowed = await context.database.read({ workspaceId }, (_db, query) => listDescriptors(query, principal.id))
  if (allowed.length === 0) throw problem('conflict', { detail: 'This account has no passkey; request a code by mail' })
  return createRequest(context, { purpose: 're-authentication', sessionId }, allowed)
}

function createRequest(
  { derivedKeys, publicBaseUrl, now }: Context,
  use: ChallengeUse,
  allowed?: readonly PasskeyDescriptor[],
) {
  const challenge = createChallenge(derivedKeys, use, now())
  return {
    expires_at: challenge.expiresAt.toISOString(),
    options: requestOptions(relyingPartyOf(publicBaseUrl), challenge, allowed),
  }
}
