import { randomBytes } from 'node:crypto'
import type { Sealer } from '@wp/service'
import { z } from 'zod'
import { isEqualConstantTime } from '../sign-in/login-secrets.ts'
import { type AuthorizationRequest, type ProviderName, providerNames } from './provider.ts'

/** How long somebody may take at a provider. */
export const authorizationTimeoutSeconds = 600

const PendingAuthorizationSchema = z.object({
  provider: z.enum(providerNames),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  /** Milliseconds since 1970. */
  endsAt: z.number(),
})

/** What a browser carries, sealed, while it is at a provider. */
export type PendingAuthorization = z.infer<typeof PendingAuthorizationSchema>

const associatedData = 'login-attempt'

export function createAuthorizationRequest(): AuthorizationRequest {
  const randomValue = () => randomBytes(32).toString('base64url')
  return { state: randomValue(), nonce: randomValue(), verifier: randomValue() }
}

export const sealPendingAuthorization = (sealer: Sealer, attempt: PendingAuthorization): string =>
  sealer.seal(JSON.stringify(attempt), associatedData)

/**
 * What the browser carried, when it is of this provider, of this state and in time; anything else is none of ours:
 * another browser's, another provider's, an old one, a made-up one.
 */
export function openPendingAuthorization(
  sealer: Sealer,
  sealed: string | undefined,
  expected: { provider: ProviderName; state: string | undefined; now: number },
): PendingAuthorization | undefined {
  const parsed = sealed === undefined ? undefined : PendingAuthorizationSchema.safeParse(unseal(sealer, sealed))
  if (parsed?.success !== true) return undefined
  const { provider, state, endsAt } = parsed.data
  const isExpected =
    provider === expected.provider && isEqualConstantTime(state, expected.state ?? '') && expected.now < endsAt
  return isExpected ? parsed.data : undefined
}

function unseal(sealer: Sealer, sealed: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed, associatedData))
  } catch {
    return undefined // not ours, or under a key that is gone: the browser begins again
  }
}
