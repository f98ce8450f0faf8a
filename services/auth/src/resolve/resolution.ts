import {
  builtInRoles,
  type Grant,
  type Identity,
  isScope,
  type Presented,
  type Resolution,
  type Scope,
} from '@wp/contracts'
import type { KeyStanding, MachineStanding, Membership, Place, SessionStanding, UserStanding } from './standing.ts'

type Shown<Type extends Presented['type']> = Extract<Presented, { type: Type }>

/** Requests a minute of a user who is a member nowhere. */
const defaultCredentialPerMinute = 600

/** An API key that was presented: good when it is kept, its words are its row's, and nothing has ended it. */
export function resolveApiKey(shown: Shown<'api_key'>, key: KeyStanding | undefined): Resolution {
  if (key === undefined) return { status: 'unknown' }
  const { shard, location, workspace_id } = shown
  if (shard !== key.key_shard || location !== key.key_location || workspace_id !== key.workspace_id)
    return { status: 'unknown' }
  return resolveKey(key)
}

/** A service principal's token, whose signature and expiry the asker has checked. */
export function resolveMachineToken(machine: MachineStanding | undefined): Resolution {
  return machine === undefined ? { status: 'unknown' } : resolveMachine(machine)
}

/**
 * A user's token: good while its session is, wherever the user is a member now. Whoever has one was signed in once, so a
 * session nobody remembers has ended.
 */
export function resolveUserToken(shown: Shown<'token'>, session: SessionStanding | undefined): Resolution {
  if (session === undefined) return { status: 'revoked' }
  if (session.user_id !== shown.principal_id) return { status: 'unknown' }
  if (session.disabled || !session.session_live) return { status: 'revoked' }
  const identity = userIdentity(session, session.memberships, session.session_id)
  return active({ ...identity, expires_at: session.session_ends_at.toISOString() })
}

/** What is known of a stored caller, according to its type. */
export interface CallerStanding {
  key?: KeyStanding | undefined
  machine?: MachineStanding | undefined
  user?: UserStanding | undefined
}

/** A caller stored with a job, now: as it stands in the job's workspace. */
export function resolveStoredCaller(shown: Shown<'caller'>, standing: CallerStanding | undefined): Resolution {
  const { workspace_id: workspaceId, credential_id: credentialId } = shown
  if (standing?.key !== undefined)
    return standing.key.workspace_id === workspaceId ? resolveKey(standing.key) : { status: 'unknown' }
  if (standing?.machine !== undefined)
    return standing.machine.workspace_id === workspaceId ? resolveMachine(standing.machine) : { status: 'unknown' }
  if (standing?.user === undefined) return { status: 'unknown' }
  const here = standing.user.memberships.filter((membership) => membership.workspace_id === workspaceId)
  const identity = userIdentity(standing.user, here, credentialId)
  return standing.user.disabled || identity.grants.length === 0 ? { status: 'revoked' } : active(identity)
}

function resolveKey(key: KeyStanding): Resolution {
  if (key.deleted || key.replaced || key.workspace_deleted) return { status: 'revoked' }
  if (key.expired === true) return { status: 'expired' }
  return active({
    principal: { id: key.key_id, type: 'api_key' },
    credential_id: key.key_id,
    credential_type: 'api_key',
    workspace_id: key.workspace_id,
    grants: [grant(key, key.scopes)],
    limits: { credential_per_minute: key.credential_per_minute },
    expires_at: earliest(key.expires_at, key.replaced_at)?.toISOString() ?? null,
    tokens_valid_after: null,
  })
}

function resolveMachine(machine: MachineStanding): Resolution {
  if (machine.deleted || machine.status !== 'active' || machine.workspace_deleted) return { status: 'revoked' }
  const { tokens_valid_after: validAfter, revoked_token_ids: revoked } = machine
  return active({
    principal: { id: machine.client_id, type: 'service_principal' },
    credential_id: machine.client_id,
    credential_type: 'bearer',
    workspace_id: machine.workspace_id,
    grants: [grant(machine, machine.scopes)],
    limits: { credential_per_minute: machine.credential_per_minute },
    expires_at: null,
    // tokens carry whole seconds
    tokens_valid_after: validAfter === null ? null : Math.floor(validAfter.getTime() / 1000),
    ...(revoked.length === 0 ? {} : { revoked_token_ids: revoked }),
  })
}

function userIdentity(user: UserStanding, memberships: readonly Membership[], credentialId: string): Identity {
  const live = memberships.filter((membership) => !membership.workspace_deleted)
  return {
    principal: { id: user.user_id, type: 'user' },
    credential_id: credentialId,
    credential_type: 'bearer',
    workspace_id: null,
    grants: live.map((membership) => grant(membership, scopesOf(membership))),
    limits: {
      credential_per_minute: Math.max(
        ...(live.length > 0 ? live.map((place) => place.credential_per_minute) : [defaultCredentialPerMinute]),
      ),
    },
    expires_at: null,
    tokens_valid_after: null,
  }
}

const active = (identity: Identity): Resolution => ({ status: 'active', identity })

const grant = (place: Place, scopes: readonly string[]): Grant => ({
  workspace_id: place.workspace_id,
  shard: place.shard,
  location: place.location,
  scopes: scopes.filter(isScope),
  limits: { workspace_per_minute: place.workspace_per_minute },
})

/** What a role allows; a role nobody knows allows nothing. */
export const scopesOf = ({
  built_in_role: builtIn,
  scopes,
}: Pick<Membership, 'built_in_role' | 'scopes'>): readonly (Scope | string)[] =>
  builtIn === null ? (scopes ?? []) : (Object.entries(builtInRoles).find(([name]) => name === builtIn)?.[1] ?? [])

const earliest = (...times: (Date | null)[]): Date | undefined =>
  times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())[0]
