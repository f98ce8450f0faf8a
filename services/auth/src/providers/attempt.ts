import { randomBytes } from 'node:crypto'
import type { Sealer } from '@wp/service'
import { z } from 'zod'
import { isSame } from '../sign-in/secrets.ts'
import { type Attempt, type ProviderName, providerNames } from './provider.ts'

/** How long somebody may take at a provider. */
export const attemptSeconds = 600

const Carried = z.object({
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
export type CarriedAttempt = z.infer<typeof Carried>

const belongsTo = 'login-attempt'

export function newAttempt(): Attempt {
  const random = () => randomBytes(32).toString('base64url')
  return { state: random(), nonce: random(), verifier: random() }
}

export const sealAttempt = (sealer: Sealer, attempt: CarriedAttempt): string =>
  sealer.seal(JSON.stringify(attempt), belongsTo)

/**
 * What the browser carried, when it is of this provider, of this state and in time; anything else is none of ours:
 * another browser's, another provider's, an old one, a made-up one.
 */
export function openAttempt(
  sealer: Sealer,
  sealed: string | undefined,
  expected: { provider: ProviderName; state: string | undefined; now: number },
): CarriedAttempt | undefined {
  const read = sealed === undefined ? undefined : Carried.safeParse(opened(sealer, sealed))
  if (read?.success !== true) return undefined
  const { provider, state, endsAt } = read.data
  const fits = provider === expected.provider && isSame(state, expected.state ?? '') && expected.now < endsAt
  return fits ? read.data : undefined
}

function opened(sealer: Sealer, sealed: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed, belongsTo))
  } catch {
    return undefined // not ours, or under a key that is gone: the browser begins again
  }
}
