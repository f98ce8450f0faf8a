import { z } from 'zod'
import type { RelyingParty } from './relying-party.ts'

/** The reasons for which an answer of an authenticator is refused. They are logged and audited, not told. */
export type PasskeyRefusal =
  | 'malformed'
  | 'wrong_type'
  | 'challenge_unknown'
  | 'challenge_expired'
  | 'challenge_used'
  | 'other_origin'
  | 'cross_origin'
  | 'other_relying_party'
  | 'user_not_verified'
  | 'attestation'
  | 'unknown_credential'
  | 'other_user'
  | 'user_disabled'
  | 'wrong_signature'
  | 'counter_back'

/** The statement of the browser about an answer (WebAuthn section 5.8.1); unknown members are ignored. */
const ClientData = z.object({
  type: z.string().max(100),
  challenge: z.string().max(500),
  origin: z.string().max(2_000),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().max(2_000).optional(),
})
type ClientData = z.output<typeof ClientData>

/** Parses `clientDataJSON`; undefined if it is malformed. */
export function parseClientData(encoded: string): ClientData | undefined {
  try {
    const result = ClientData.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')))
    return result.success ? result.data : undefined
  } catch {
    return undefined // no JSON
  }
}

/** Returns why an answer is refused because of the page that asked for it; pages in frames are refused. */
export function refusePage(
  { type, origin, crossOrigin, topOrigin }: ClientData,
  expectedType: 'webauthn.get' | 'webauthn.create',
  { origins }: RelyingParty,
): PasskeyRefusal | undefined {
  if (type !== expectedType) return 'wrong_type'
  if (!origins.includes(origin)) return 'other_origin'
  return crossOrigin === true || topOrigin !== undefined ? 'cross_origin' : undefined
}
