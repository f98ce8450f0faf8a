import { randomUUID } from 'node:crypto'
import type { Scope } from '@wp/contracts'
import { SignJWT } from 'jose'
import type { Context } from '../context.ts'
import { audiencesOf } from './audience.ts'
import { publicClient } from './client-credentials.ts'
import { tokenLifetimeSeconds } from './rotation.ts'

/** A workspace and where it lives. */
export interface Home {
  workspaceId: string
  shard: string
  location: string
}

/**
 * Who a token is for. A service principal's names its workspace and scopes; a user's its session, and those only where it
 * was narrowed.
 */
export type TokenSubject =
  | { type: 'service_principal'; id: string; home: Home; scopes: readonly Scope[] }
  | { type: 'user'; id: string; sessionId: string; home?: Home; scopes?: readonly Scope[] }

interface IssueOptions {
  /** Default: everything of ours. */
  audience?: readonly string[]
  /** Default an hour; another one is for tests. */
  lifetimeSeconds?: number
}

/**
 * Signs an access token: a JWT after RFC 9068 (`at+jwt`), ES256. Whether the subject may have it is decided before, and
 * again by `resolve` whenever it is used.
 */
export async function issueAccessToken(
  { base, signingKeys, now }: Pick<Context, 'base' | 'signingKeys' | 'now'>,
  subject: TokenSubject,
  { audience = audiencesOf(base), lifetimeSeconds = tokenLifetimeSeconds }: IssueOptions = {},
): Promise<string> {
  const { kid, key } = signingKeys.current()
  const issuedAt = Math.floor(now() / 1000)
  return await new SignJWT({
    client_id: subject.type === 'user' ? publicClient : subject.id,
    principal_type: subject.type,
    ...(subject.type === 'user' ? { sid: subject.sessionId } : {}),
    ...(subject.home === undefined ? {} : homeClaims(subject.home)),
    ...(subject.scopes === undefined ? {} : { scope: subject.scopes.join(' ') }),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .setIssuer(base)
    .setAudience([...audience])
    .setSubject(subject.id)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key)
}

const homeClaims = ({ workspaceId, shard, location }: Home) => ({ workspace_id: workspaceId, shard, location })
