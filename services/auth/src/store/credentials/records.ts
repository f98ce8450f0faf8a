/** A workspace as it bears on what may be done there. */
export interface WorkspaceColumns {
  workspace_id: string
  shard: string
  location: string
  credential_per_minute: number
  workspace_per_minute: number
  workspace_deleted: boolean
}

/** What is known of an API key that was presented. */
export interface ApiKeyRecord extends WorkspaceColumns {
  key_id: string
  scopes: string[]
  /** As written in the key. */
  key_shard: string
  key_location: string
  deleted: boolean
  expires_at: Date | null
  /** Null where it has no expiry. */
  expired: boolean | null
  /** When the presented secret stops working, because the key was given another one. */
  replaced_at: Date | null
  replaced: boolean
}

/** What is known of a service principal. */
export interface ServicePrincipalRecord extends WorkspaceColumns {
  client_id: string
  scopes: string[]
  status: 'active' | 'disabled'
  deleted: boolean
  tokens_valid_after: Date | null
  /** Tokens revoked one by one that have not ended yet. */
  revoked_token_ids: string[]
}

/** A user's place in one workspace, by a role of every workspace or one of its own. */
export interface MembershipRecord extends WorkspaceColumns {
  built_in_role: string | null
  scopes: string[] | null
}

/** What is known of a user. */
export interface UserRecord {
  user_id: string
  disabled: boolean
  memberships: MembershipRecord[]
}

/** What is known of a session, and of the user whose it is. */
export interface SessionRecord extends UserRecord {
  session_id: string
  /** Neither ended nor past its end, by the database's clock. */
  session_live: boolean
  session_ends_at: Date
}
