import { hash } from 'node:crypto'
import { type Caller, isScope, type PrincipalType, principalTypes, type SignerName } from '@wp/contracts'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { KeyRing, SigningKey } from './keys.ts'

/** The header an assertion travels in. */
export const assertionHeader = 'x-workspace-scope'

const type = 'scope+jwt'
const lifetimeSeconds = 60
const clockToleranceSeconds = 30
/** A cached assertion is used while it has this long to live, so that it does not expire on its way. */
const reserveSeconds = 20

/** Who an assertion speaks of. Request id and trace travel outside it. */
export type Subject = Omit<Caller, 'requestId' | 'traceparent'>

/** Signs who is calling, for one target service. */
export interface Signer {
  issuer: SignerName
  sign(subject: Subject, audience: string): Promise<string>
}

/** What a verified assertion says. */
export interface VerifiedAssertion {
  issuer: SignerName
  subject: Subject
}

/** Assertions kept at most, up to two kilobytes each. */
const maxCachedAssertions = 15_000

/** @param now milliseconds since 1970 */
export function createSigner(signing: SigningKey, now: () => number = Date.now): Signer {
  const cache = new LRUCache<string, Signed>({ max: maxCachedAssertions })
  // the same object is recognised without spelling it out
  const bySubject = new LRUCache<Subject, { audience: string; signed: Signed }>({ max: maxCachedAssertions })

  return {
    issuer: signing.issuer,
    async sign(subject, audience) {
      const last = bySubject.get(subject)
      if (last !== undefined && last.audience === audience && last.signed.usableUntil > now()) return last.signed.token
      const cacheKey = hash('sha256', JSON.stringify([subject, audience]), 'base64')
      const cached = cache.get(cacheKey)
      const signed = cached !== undefined && cached.usableUntil > now() ? cached : await signNew(subject, audience)
      if (signed !== cached) cache.set(cacheKey, signed)
      bySubject.set(subject, { audience, signed })
      return signed.token
    },
  }

  async function signNew(subject: Subject, audience: string): Promise<Signed> {
    const issuedAt = Math.floor(now() / 1000)
    const token = await new SignJWT({
      principal_type: subject.principal.type,
      credential_id: subject.credentialId,
      workspace_id: subject.workspaceId,
      shard: subject.shard,
      location: subject.location,
      scopes: subject.scopes,
      credential_expires_at: subject.credentialExpiresAt,
      token_id: subject.tokenId,
    })
      .setProtectedHeader({ alg: 'ES256', typ: type, kid: signing.kid })
      .setIssuer(signing.issuer)
      .setSubject(subject.principal.id)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(signing.key)
    return { token, usableUntil: (issuedAt + lifetimeSeconds - reserveSeconds) * 1000 }
  }
}

interface Signed {
  token: string
  /** Milliseconds since 1970. */
  usableUntil: number
}

/** Checks assertions made for one service. */
export interface Verifier {
  /** @returns what it says, or undefined when it is not valid here and now */
  verify(token: string): Promise<VerifiedAssertion | undefined>
}

/** @param now milliseconds since 1970 */
export function createVerifier(audience: string, keys: KeyRing, now: () => number = Date.now): Verifier {
  const cache = new LRUCache<string, { asserted: VerifiedAssertion; expiresAt: number }>({ max: maxCachedAssertions })
  return {
    async verify(token) {
      const cached = cache.get(token)
      if (cached !== undefined && cached.expiresAt > now()) return cached.asserted
      const checked = await check(token, audience, keys, now).catch(() => undefined)
      if (checked !== undefined) cache.set(token, checked)
      return checked?.asserted
    },
  }
}

async function check(token: string, audience: string, keys: KeyRing, now: () => number) {
  const { kid } = decodeProtectedHeader(token)
  const found = kid === undefined ? undefined : await keys.find(kid)
  if (found === undefined) return undefined
  const { payload } = await jwtVerify(token, found.key, {
    algorithms: ['ES256'],
    typ: type,
    issuer: found.issuer,
    audience,
    clockTolerance: clockToleranceSeconds,
    // whatever end its signer wrote: an assertion lives a minute
    maxTokenAge: lifetimeSeconds,
    requiredClaims: ['sub', 'iat', 'exp'],
    currentDate: new Date(now()),
  })
  const subject = subjectOf(payload)
  if (subject === undefined || payload.exp === undefined || payload.iat === undefined) return undefined
  const end = Math.min(payload.exp, payload.iat + lifetimeSeconds)
  return { asserted: { issuer: found.issuer, subject }, expiresAt: end * 1000 }
}

function subjectOf(claims: Record<string, unknown>): Subject | undefined {
  const { sub, principal_type, credential_id, workspace_id, shard, location, scopes, credential_expires_at, token_id } =
    claims
  if (typeof sub !== 'string' || !isPrincipalType(principal_type) || typeof credential_id !== 'string') return undefined
  if (typeof workspace_id !== 'string' && workspace_id !== null) return undefined
  if (typeof shard !== 'string' || typeof location !== 'string' || !Array.isArray(scopes)) return undefined
  return {
    principal: { id: sub, type: principal_type },
    credentialId: credential_id,
    workspaceId: workspace_id,
    shard,
    location,
    scopes: scopes.filter((scope) => typeof scope === 'string' && isScope(scope)),
    ...(typeof credential_expires_at === 'string' ? { credentialExpiresAt: credential_expires_at } : {}),
    ...(typeof token_id === 'string' ? { tokenId: token_id } : {}),
  }
}

const isPrincipalType = (value: unknown): value is PrincipalType => principalTypes.some((known) => known === value)
