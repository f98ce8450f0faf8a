import { hash, sign } from 'node:crypto'
import { type Caller, isScope, type PrincipalType, principalTypes, type SignerName } from '@wp/contracts'
import { entryLimit } from '@wp/runtime'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { KeyRing, SigningKey } from './keys.ts'

/** The header of an assertion. */
export const assertionHeader = 'x-workspace-scope'

const type = 'scope+jwt'
const lifetimeSeconds = 60
const clockToleranceSeconds = 30
/** A cached assertion is used only while it is valid for this long, so that it does not expire in transit. */
const minRemainingSeconds = 10

/** The caller an assertion identifies. Request id and trace are separate headers. */
export type Subject = Omit<Caller, 'requestId' | 'traceparent'>

/** Signs assertions of a caller for one target service. */
export interface Signer {
  issuer: SignerName
  sign(subject: Subject, audience: string): Promise<string>
}

/** The content of a verified assertion. */
export interface VerifiedAssertion {
  issuer: SignerName
  subject: Subject
}

/** Maximum number of cached assertions, of up to two kilobytes each. */
const maxCachedAssertions = 15_000

/**
 * Creates the signer of a process. Assertions are cached by subject and audience until they are close to expiry.
 * @param now milliseconds since 1970
 */
export function createSigner(signing: SigningKey, now: () => number = Date.now): Signer {
  const header = encodeJson({ alg: 'ES256', typ: type, kid: signing.kid })
  const cache = new LRUCache<string, Signed>(entryLimit(maxCachedAssertions))
  // finds the same object without serializing it
  const bySubject = new LRUCache<Subject, { audience: string; signed: Signed }>(entryLimit(maxCachedAssertions))

  return {
    issuer: signing.issuer,
    async sign(subject, audience) {
      const last = bySubject.get(subject)
      if (last !== undefined && last.audience === audience && last.signed.usableUntil > now()) return last.signed.token
      const cacheKey = hash('sha256', JSON.stringify([subject, audience]), 'base64')
      const cached = cache.get(cacheKey)
      const signed = cached !== undefined && cached.usableUntil > now() ? cached : signNew(subject, audience)
      if (signed !== cached) cache.set(cacheKey, signed)
      bySubject.set(subject, { audience, signed })
      return signed.token
    },
  }

  /** In this thread and without a library, which takes twice the processor time: most of a request with a rare key. */
  function signNew(subject: Subject, audience: string): Signed {
    const issuedAt = Math.floor(now() / 1000)
    const claims = {
      principal_type: subject.principal.type,
      credential_id: subject.credentialId,
      client_id: subject.clientId,
      customer_id: subject.customerId,
      workspace_id: subject.workspaceId,
      shard: subject.shard,
      location: subject.location,
      scopes: subject.scopes,
      downscoped: subject.isDownscoped,
      workspace_restricted: subject.isWorkspaceRestricted,
      credential_expires_at: subject.credentialExpiresAt,
      token_id: subject.tokenId,
      iss: signing.issuer,
      sub: subject.principal.id,
      aud: audience,
      iat: issuedAt,
      exp: issuedAt + lifetimeSeconds,
    }
    const signedPart = `${header}.${encodeJson(claims)}`
    // ES256 is ECDSA with SHA-256 whose signature is R and S (RFC 7518 section 3.4)
    const signature = sign('sha256', Buffer.from(signedPart), { key: signing.key, dsaEncoding: 'ieee-p1363' })
    const usableUntil = (issuedAt + lifetimeSeconds - minRemainingSeconds) * 1000
    return { token: `${signedPart}.${signature.toString('base64url')}`, usableUntil }
  }
}

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Signed {
  token: string
  /** Milliseconds since 1970. */
  usableUntil: number
}

/** Verifies assertions for one service. */
export interface Verifier {
  /** @returns undefined if the assertion is malformed, expired, or not for this service */
  verify(token: string): Promise<VerifiedAssertion | undefined>
}

/**
 * Creates the verifier of a service. Verified assertions are cached until they expire.
 * @param now milliseconds since 1970
 */
export function createVerifier(audience: string, keys: KeyRing, now: () => number = Date.now): Verifier {
  const cache = new LRUCache<string, { assertion: VerifiedAssertion; expiresAt: number }>(
    entryLimit(maxCachedAssertions),
  )
  return {
    async verify(token) {
      const cached = cache.get(token)
      if (cached !== undefined && cached.expiresAt > now()) return cached.assertion
      const verified = await verifyToken(token, audience, keys, now).catch(() => undefined)
      if (verified !== undefined) cache.set(token, verified)
      return verified?.assertion
    },
  }
}

async function verifyToken(token: string, audience: string, keys: KeyRing, now: () => number) {
  const { kid } = decodeProtectedHeader(token)
  const signer = kid === undefined ? undefined : await keys.find(kid)
  if (signer === undefined) return undefined
  const { payload } = await jwtVerify(token, signer.key, {
    algorithms: ['ES256'],
    typ: type,
    issuer: signer.issuer,
    audience,
    clockTolerance: clockToleranceSeconds,
    // limits the lifetime independently of the expiry its signer chose
    maxTokenAge: lifetimeSeconds,
    requiredClaims: ['sub', 'iat', 'exp'],
    currentDate: new Date(now()),
  })
  const subject = subjectOf(payload)
  if (subject === undefined || payload.exp === undefined || payload.iat === undefined) return undefined
  const expiresAtSeconds = Math.min(payload.exp, payload.iat + lifetimeSeconds)
  return { assertion: { issuer: signer.issuer, subject }, expiresAt: expiresAtSeconds * 1000 }
}

function subjectOf(claims: Record<string, unknown>): Subject | undefined {
  const { sub, principal_type, credential_id, workspace_id, shard, location, scopes } = claims
  const { client_id, customer_id, downscoped, workspace_restricted, credential_expires_at, token_id } = claims
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
    ...(typeof client_id === 'string' ? { clientId: client_id } : {}),
    ...(typeof customer_id === 'string' ? { customerId: customer_id } : {}),
    ...(downscoped === true ? { isDownscoped: true as const } : {}),
    ...(workspace_restricted === true ? { isWorkspaceRestricted: true as const } : {}),
    ...(typeof credential_expires_at === 'string' ? { credentialExpiresAt: credential_expires_at } : {}),
    ...(typeof token_id === 'string' ? { tokenId: token_id } : {}),
  }
}

const isPrincipalType = (value: unknown): value is PrincipalType => principalTypes.some((type) => type === value)
