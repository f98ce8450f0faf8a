import { isScope } from '@wp/contracts'
import type { Sealer } from '@wp/service'
import { z } from 'zod'
import { isEqualConstantTime } from '../secrets/secret.ts'
import type { ClientAuthorizationRequest } from './authorization-request.ts'

/** Time a user has to decide. */
const decisionMinutes = 30

const ConsentSchema = z.object({
  /** The session of the browser in which the page was shown. */
  sessionId: z.string(),
  /** Milliseconds since 1970. */
  endsAt: z.number(),
  clientId: z.string(),
  clientName: z.string(),
  redirectUri: z.string(),
  state: z.string().optional(),
  codeChallenge: z.string(),
  scopes: z.array(z.string()).max(100),
  resource: z.string().optional(),
})

/** A request that a user was asked to decide. */
export interface Consent extends Omit<ClientAuthorizationRequest, 'client'> {
  clientId: string
  clientName: string
}

const associatedData = 'authorization-consent'

/**
 * Seals a request for the form of the consent page. What the user decides is what the page showed, and only the browser
 * session that the page was shown to can send it: a form of another page does not have it (CSRF).
 */
export function sealConsent(
  sealer: Sealer,
  { client, ...request }: ClientAuthorizationRequest,
  sessionId: string,
  now: number,
): string {
  const consent = { ...request, clientId: client.id, clientName: client.name }
  return sealer.seal(JSON.stringify({ ...consent, sessionId, endsAt: now + decisionMinutes * 60_000 }), associatedData)
}

/** Opens the consent of a form. @returns undefined if it was changed, has expired or belongs to another session */
export function openConsent(
  sealer: Sealer,
  sealed: string | undefined,
  { sessionId, now }: { sessionId: string; now: number },
): Consent | undefined {
  const parsed = sealed === undefined ? undefined : ConsentSchema.safeParse(unseal(sealer, sealed))
  if (parsed?.success !== true) return undefined
  const { sessionId: shownTo, endsAt, scopes, state, resource, ...rest } = parsed.data
  if (!isEqualConstantTime(shownTo, sessionId) || now >= endsAt) return undefined
  return { ...rest, state, resource, scopes: scopes.filter(isScope) }
}

function unseal(sealer: Sealer, sealed: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed, associatedData))
  } catch {
    return undefined // forged, or sealed with a key that no longer exists
  }
}
