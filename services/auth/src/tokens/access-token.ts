import { randomUUID } from 'node:crypto'
import { problem, protectedResources, type Scope } from '@wp/contracts'
import { SignJWT } from 'jose'
import type { WorkspacePlacement } from '../store/workspaces/workspaces.ts'
import type { SigningKeys } from './signing-keys.ts'
import { tokenLifetimeSeconds } from './signing-keys.ts'

/** The platform's own client, which users sign in with. It is public: it has no secret (RFC 6749 section 2.1). */
export const publicClientId = 'console'

/** Dependencies for issuing and verifying access tokens. */
export interface TokenIssuer {
  /** Issuer and first audience. */
  publicBaseUrl: string
  signingKeys: Pick<SigningKeys, 'current' | 'published'>
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Subject of an access token. The token of a service principal contains its workspace and scopes. The token of a user
 * contains the session, and a workspace or scopes only if it was downscoped.
 */
export type TokenSubject =
  | { type: 'service_principal'; id: string; placement: WorkspacePlacement; scopes: readonly Scope[] }
  | {
      type: 'user'
      id: string
      sessionId: string
      /** The client the user authorized; default the platform's own. */
      clientId?: string
      /** Last time the user proved who they are. */
      authenticatedAt: Date
      /** The edge refuses endpoints with step-up authentication when the authentication is older; default: never. */
      maxAuthAgeSeconds?: number
      placement?: WorkspacePlacement
      scopes?: readonly Scope[]
    }

interface IssueOptions {
  /** Default: all audiences of the platform. */
  audience?: readonly string[]
  /** Default 3,600. */
  lifetimeSeconds?: number
}

/**
 * Signs an access token: a JWT as in RFC 9068 (`at+jwt`), ES256. Does not check permissions: the caller does before,
 * and `resolve` does at each use.
 */
export async function issueAccessToken(
  { publicBaseUrl, signingKeys, now }: TokenIssuer,
  subject: TokenSubject,
  { audience = protectedResources(publicBaseUrl), lifetimeSeconds = tokenLifetimeSeconds }: IssueOptions = {},
): Promise<string> {
  const { kid, key } = signingKeys.current()
  const issuedAt = Math.floor(now() / 1000)
  return await new SignJWT({
    client_id: subject.type === 'user' ? (subject.clientId ?? publicClientId) : subject.id,
    principal_type: subject.type,
    ...(subject.type === 'user' ? sessionClaims(subject) : {}),
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

/** `auth_time` as in RFC 9068 section 2.2.1; `max_auth_age` is named after the parameter `max_age` of RFC 9470. */
const sessionClaims = ({ sessionId, authenticatedAt, maxAuthAgeSeconds }: Extract<TokenSubject, { type: 'user' }>) => ({
  sid: sessionId,
  auth_time: Math.floor(authenticatedAt.getTime() / 1000),
  ...(maxAuthAgeSeconds === undefined ? {} : { max_auth_age: maxAuthAgeSeconds }),
})

const placementClaims = ({ workspaceId, shard, location }: WorkspacePlacement) => ({
  workspace_id: workspaceId,
  shard,
  location,
})

/**
 * Returns the audience for the requested resources (RFC 8707); all audiences if none is requested.
 * @throws Problem `invalid_target` for a resource outside the platform
 */
export function audienceForResources(publicBaseUrl: string, resources: readonly string[] | undefined): string[] {
  const audiences = protectedResources(publicBaseUrl)
  if (resources === undefined) return audiences
  const requested = new Set(
    resources.map((resource) => audiences.find((known) => known === resource || `${known}/` === resource)),
  )
  if (requested.has(undefined))
    throw problem('invalid_target', { detail: `resource must be one of ${audiences.join(' ')}` })
  return audiences.filter((audience) => requested.has(audience))
}

/** Returns the resource to which an audience is limited; undefined if it is every resource. */
export const onlyResourceOf = ([first, ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? first : undefined
