import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@wp/contracts'
import type { z } from 'zod'
import type { PasskeyDescriptor } from '../store/passkeys/passkeys.ts'
import { toUserHandle } from './authenticate.ts'
import { challengeLifetimeMs, type PasskeyChallenge } from './challenge.ts'
import type { RelyingParty } from './relying-party.ts'
import { supportedAlgorithms } from './verify-passkey.ts'

const toDescriptor = ({ credentialId, transports }: PasskeyDescriptor) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: [...transports],
})

/** Returns the options of a sign-in, or of a re-authentication with one of the given passkeys. */
export const requestOptions = (
  { id }: RelyingParty,
  { challenge }: PasskeyChallenge,
  allowed: readonly PasskeyDescriptor[] = [],
): z.input<typeof PasskeyRequestOptions> => ({
  challenge,
  timeout: challengeLifetimeMs,
  rpId: id,
  allowCredentials: allowed.map(toDescriptor),
  userVerification: 'required',
})

interface Owner {
  userId: string
  email: string
  name: string | null
}

/** Returns the options of a registration. Authenticators that have a passkey of the user already refuse. */
export const creationOptions = (
  { id }: RelyingParty,
  { challenge }: PasskeyChallenge,
  { owner, existing, productName }: { owner: Owner; existing: readonly PasskeyDescriptor[]; productName: string },
): z.input<typeof PasskeyCreationOptions> => ({
  challenge,
  timeout: challengeLifetimeMs,
  rp: { id, name: productName },
  user: { id: toUserHandle(owner.userId), name: owner.email, displayName: owner.name ?? owner.email },
  pubKeyCredParams: supportedAlgorithms.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: existing.map(toDescriptor),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})
