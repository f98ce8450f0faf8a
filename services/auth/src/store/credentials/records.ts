/** The columns of a workspace that every credential record includes. */
export interface WorkspaceColumns {
  workspaceId: string
  shard: string
  location: string
  credentialPerMinute: number
  workspacePerMinute: number
  /** Requests a minute, by service; null without limits of a plan. */
  planWorkspacePerMinute: Readonly<Record<string, number>> | null
  /** The end of the period in which the plan includes no more calls; null if it does. */
  callsExhaustedUntil: Date | null
  workspaceDeleted: boolean
}

/** An API key with the state of the presented secret. */
export interface ApiKeyRecord extends WorkspaceColumns {
  keyId: string
  scopes: string[]
  /** The shard in the text of the key. */
  keyShard: string
  keyLocation: string
  deleted: boolean
  expiresAt: Date | null
  /** Null if the key has no expiry. */
  expired: boolean | null
  /** Expiry of the presented secret after a rotation; null for the current secret. */
  replacedAt: Date | null
  replaced: boolean
}

/** A service principal with its revoked tokens. */
export interface ServicePrincipalRecord extends WorkspaceColumns {
  clientId: string
  scopes: string[]
  status: 'active' | 'disabled'
  deleted: boolean
  tokensValidAfter: Date | null
  /** Individually revoked tokens that have not expired. */
  revokedTokenIds: string[]
}

/** A user's membership, with a built-in or custom role. */
export interface MembershipRecord extends WorkspaceColumns {
  builtInRole: string | null
  scopes: string[] | null
}

/** A user with all memberships. */
export interface UserRecord {
  userId: string
  disabled: boolean
  memberships: MembershipRecord[]
}

/** A session with its user. */
export interface SessionRecord extends UserRecord {
  sessionId: string
  /** The client that the session was granted to; null for the platform's own. */
  clientId: string | null
  /** True if the session is neither ended nor expired, by the clock of the database. */
  sessionLive: boolean
  sessionEndsAt: Date
}
