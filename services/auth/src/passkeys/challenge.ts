import { randomBytes } from 'node:crypto'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { isEqualConstantTime } from '../secrets/secret.ts'

/** The time in which a challenge can be answered. */
export const challengeLifetimeMs = 300_000

/** The act that a challenge is for, and who may answer it. */
export type ChallengeUse =
  | { purpose: 'sign-in'; codeChallenge: string }
  | { purpose: 'registration' | 're-authentication'; sessionId: string }

export interface PasskeyChallenge {
  /** Base64url, as the browser signs it. */
  challenge: string
  expiresAt: Date
}

/** Creates a challenge, which is random. */
export const createChallenge = (keys: DerivedKeys, use: ChallengeUse, now: number): PasskeyChallenge =>
  formatChallenge(keys, use, { nonce: randomBytes(16).toString('base64url'), endsAt: now + challengeLifetimeMs })

/**
 * Returns the challenge with a nonce. It states its expiry and is authenticated together with its use, so that no row
 * is stored until it is answered: the page of the sign-in, which anyone opens, costs nothing.
 */
function formatChallenge(
  keys: DerivedKeys,
  use: ChallengeUse,
  { nonce, endsAt }: { nonce: string; endsAt: number },
): PasskeyChallenge {
  const body = `${nonce}.${endsAt}`
  return { challenge: toBase64url(`${body}.${keys.mac(macPurpose, macText(body, use))}`), expiresAt: new Date(endsAt) }
}

/**
 * Returns the expiry of a challenge that was created for this use.
 * @returns `challenge_unknown` if it was created for another use, browser or session, or not at all
 */
export function readChallenge(
  keys: DerivedKeys,
  challenge: string,
  use: ChallengeUse,
  now: number,
): { expiresAt: Date } | { refusal: 'challenge_unknown' | 'challenge_expired' } {
  const [nonce = '', endsAt = '', mac = ''] = Buffer.from(challenge, 'base64url').toString('latin1').split('.')
  const body = `${nonce}.${endsAt}`
  const isOurs = keys
    .macsUnderAllKeys(macPurpose, macText(body, use))
    .some((expected) => isEqualConstantTime(toBase64url(`${body}.${expected}`), challenge))
  if (!isOurs || mac === '') return { refusal: 'challenge_unknown' }
  return Number(endsAt) > now ? { expiresAt: new Date(Number(endsAt)) } : { refusal: 'challenge_expired' }
}

const macPurpose = 'passkey-challenge'

const macText = (body: string, use: ChallengeUse): string =>
  `${use.purpose}:${use.purpose === 'sign-in' ? use.codeChallenge : use.sessionId}:${body}`

const toBase64url = (text: string): string => Buffer.from(text, 'latin1').toString('base64url')
