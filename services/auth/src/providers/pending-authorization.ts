import { randomBytes } from 'node:crypto'
import type { Sealer } from '@wp/service'
import { z } from 'zod'
import { isEqualConstantTime } from '../secrets/secret.ts'
import { type AuthorizationRequest, type ProviderName, providerNames } from './provider.ts'

/** Time a user has to complete the sign-in at the provider. */
export const authorizationTimeoutSeconds = 600

const PendingAuthorizationSchema = z.object({
  provider: z.enum([...providerNames, 'sso']),
  /** Workspace of the connection, for `sso`. */
  workspaceId: z.string().optional(),
  /** True for the test of a connection, which begins no session. */
  isTest: z.boolean().optional(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** Null for the sign-in of a browser at the page of an authorization. */
  codeChallenge: z.string().nullable(),
  /** Milliseconds since 1970. */
  endsAt: z.number(),
})

/** State of an authorization request, kept in a sealed browser cookie until the provider redirects back. */
export type PendingAuthorization = z.infer<typeof PendingAuthorizationSchema>

const associatedData = 'login-attempt'

export function createAuthorizationRequest(): AuthorizationRequest {
  const randomValue = () => randomBytes(32).toString('base64url')
  return { state: randomValue(), nonce: randomValue(), verifier: randomValue() }
}

export const sealPendingAuthorization = (sealer: Sealer, authorization: PendingAuthorization): string =>
  sealer.seal(JSON.stringify(authorization), associatedData)

/**
 * Opens the sealed cookie of a callback.
 * @returns undefined unless the cookie is authentic and matches the provider, the `state` and the time limit; so a
 *   callback from another browser, another provider or an expired request is rejected
 */
export function openPendingAuthorization(
  sealer: Sealer,
  sealed: string | undefined,
  expected: { provider: ProviderName | 'sso'; state: string | undefined; now: number },
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
    return undefined // forged, or sealed with a key that no longer exists
  }
}
