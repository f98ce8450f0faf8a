import type { Row } from '@wp/database'
import type { ApiKey, Membership, Role, ServicePrincipal, Session, User, Workspace } from '#db'

/** The columns of a workspace that every credential record includes. */
export interface WorkspaceColumns
  extends Row<Workspace, 'workspaceId' | 'shard' | 'location' | 'credentialPerMinute' | 'workspacePerMinute'> {
  /** Requests a minute, by service; null without limits of a plan. */
  planWorkspacePerMinute: Readonly<Record<string, number>> | null
  /** The end of the period in which the plan includes no more calls; null if it does. */
  callsExhaustedUntil: Date | null
  workspaceDeleted: boolean
}

/** An API key with the state of the presented secret. */
export interface ApiKeyRecord
  extends WorkspaceColumns,
    Row<ApiKey, 'keyId' | 'scopes' | 'expiresAt' | 'portalLinkId' | 'customerId'> {
  /** The shard in the text of the key. */
  keyShard: string
  keyLocation: string
  deleted: boolean
  /** Null if the key has no expiry. */
  expired: boolean | null
  /** Expiry of the presented secret after a rotation; null for the current secret. */
  replacedAt: Date | null
  replaced: boolean
}

/** A service principal with its revoked tokens. */
export interface ServicePrincipalRecord
  extends WorkspaceColumns,
    Row<ServicePrincipal, 'clientId' | 'scopes' | 'status' | 'tokensValidAfter'> {
  deleted: boolean
  /** Individually revoked tokens that have not expired. */
  revokedTokenIds: string[]
}

/** A user's membership, with a built-in or custom role. */
export interface MembershipRecord extends WorkspaceColumns, Row<Membership, 'builtInRole'> {
  /** Those of a custom role; null for a built-in one. */
  scopes: Role['scopes'] | null
  /** True if the workspace demands a sign-in with its provider, which the session lacks; undefined without one. */
  ssoMissing?: boolean
}

/** A user with all memberships. */
export interface UserRecord extends Row<User, 'userId'> {
  disabled: boolean
  memberships: MembershipRecord[]
}

export interface SessionRecord extends UserRecord, Row<Session, 'sessionId' | 'clientId'> {
  /** True if the session is neither ended nor expired, by the clock of the database. */
  sessionLive: boolean
  sessionEndsAt: Date
}
