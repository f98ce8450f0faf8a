import { randomUUID } from 'node:crypto'
import type { Scope } from '@wp/contracts'
import { SignJWT } from 'jose'
import type { Context } from '../context.ts'
import { platformAudiences } from './audience.ts'
import { publicClientId } from './client-credentials.ts'
import { tokenLifetimeSeconds } from './signing-key-rotation.ts'

/** A workspace and where it lives. */
export interface WorkspacePlacement {
  workspaceId: string
  shard: string
  location: string
}

/**
 * Who a token is for. A service principal's names its workspace and scopes; a user's its session, and those only where it
 * was narrowed.
 */
export type TokenSubject =
  | { type: 'service_principal'; id: string; placement: WorkspacePlacement; scopes: readonly Scope[] }
  | { type: 'user'; id: string; sessionId: string; placement?: WorkspacePlacement; scopes?: readonly Scope[] }

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
  { publicBaseUrl, signingKeys, now }: Pick<Context, 'publicBaseUrl' | 'signingKeys' | 'now'>,
  subject: TokenSubject,
  { audience = platformAudiences(publicBaseUrl), lifetimeSeconds = tokenLifetimeSeconds }: IssueOptions = {},
): Promise<string> {
  const { kid, key } = signingKeys.current()
  const issuedAt = Math.floor(now() / 1000)
  return await new SignJWT({
    client_id: subject.type === 'user' ? publicClientId : subject.id,
    principal_type: subject.type,
    ...(subject.type === 'user' ? { sid: subject.sessionId } : {}),
    ...(subject.placement === undefined ? {} : placementClaims(subject.placement)),
    ...(subject.scopes === undefined ? {} : { scope: subject.scopes.join(' ') }),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .setIssuer(publicBaseUrl)
    .setAudience([...audience])
    .setSubject(subject.id)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key)
}

const placementClaims = ({ workspaceId, shard, location }: WorkspacePlacement) => ({
  workspace_id: workspaceId,
  shard,
  location,
})
