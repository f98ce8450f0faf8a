/** The columns of a workspace that every credential record includes. */
export interface WorkspaceColumns {
  workspace_id: string
  shard: string
  location: string
  credential_per_minute: number
  workspace_per_minute: number
  /** Requests a minute, by service; null without limits of a plan. */
  plan_workspace_per_minute: Readonly<Record<string, number>> | null
  /** The end of the period in which the plan includes no more calls; null if it does. */
  calls_exhausted_until: Date | null
  workspace_deleted: boolean
}

/** An API key with the state of the presented secret. */
export interface ApiKeyRecord extends WorkspaceColumns {
  key_id: string
  scopes: string[]
  /** The shard in the text of the key. */
  key_shard: string
  key_location: string
  deleted: boolean
  expires_at: Date | null
  /** Null if the key has no expiry. */
  expired: boolean | null
  /** Expiry of the presented secret after a rotation; null for the current secret. */
  replaced_at: Date | null
  replaced: boolean
}

/** A service principal with its revoked tokens. */
export interface ServicePrincipalRecord extends WorkspaceColumns {
  client_id: string
  scopes: string[]
  status: 'active' | 'disabled'
  deleted: boolean
  tokens_valid_after: Date | null
  /** Individually revoked tokens that have not expired. */
  revoked_token_ids: string[]
}

/** A user's membership, with a built-in or custom role. */
export interface MembershipRecord extends WorkspaceColumns {
  built_in_role: string | null
  scopes: string[] | null
}

/** A user with all memberships. */
export interface UserRecord {
  user_id: string
  disabled: boolean
  memberships: MembershipRecord[]
}

/** A session with its user. */
export interface SessionRecord extends UserRecord {
  session_id: string
  /** The client that the session was granted to; null for the platform's own. */
  client_id: string | null
  /** True if the session is neither ended nor expired, by the clock of the database. */
  session_live: boolean
  session_ends_at: Date
}
