import type { ApiKey, auth, Caller, Invitation, Session, Workspace } from '@wp/contracts'
import { isScope } from '@wp/contracts'
import type { z } from 'zod'
import type { ServicePrincipal, User } from '#db'
import type { ApiKeyRow } from './store/credentials/api-keys.ts'
import type { AuthenticatedSession } from './store/sessions/authentication-time.ts'
import type { SessionRow } from './store/sessions/sessions.ts'
import type { MembershipRow } from './store/users/users.ts'
import type { OwnInvitationRow } from './store/workspaces/own-invitations.ts'
import type { WorkspaceRow } from './store/workspaces/workspaces.ts'

type Profile = z.input<typeof auth.me.ok>

const toIsoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns the public view of an API key, without secret and hash. */
export const apiKeyView = (row: ApiKeyRow): z.input<typeof ApiKey> => ({
  key_id: row.key_id,
  name: row.name,
  scopes: row.scopes,
  last4: row.last4,
  created_by: row.created_by,
  creator_removed: row.creator_removed,
  created_at: row.created_at.toISOString(),
  expires_at: toIsoOrNull(row.expires_at),
  last_used_at: toIsoOrNull(row.last_used_at),
  rotated_at: toIsoOrNull(row.rotated_at),
})

/** Returns the view of a new or rotated API key with its secret, which is shown only once. */
export const apiKeySecretView = (row: ApiKeyRow, apiKey: string): z.input<typeof auth.createApiKey.created> => ({
  key_id: row.key_id,
  api_key: apiKey,
  name: row.name,
  scopes: row.scopes,
  last4: row.last4,
  created_at: row.created_at.toISOString(),
  expires_at: toIsoOrNull(row.expires_at),
})

/**
 * Returns the public view of a service principal, without secret and hash.
 * @param removedCreators ids of the creators that are no longer in the workspace
 */
export const servicePrincipalView = (
  row: ServicePrincipal,
  removedCreators: ReadonlySet<string>,
): z.input<typeof auth.getServicePrincipal.ok> => ({
  client_id: row.clientId,
  workspace_id: row.workspaceId,
  name: row.name,
  scopes: row.scopes.filter(isScope),
  // The columns contain only values the contracts accept; responses are validated against the contracts again.
  environment: row.environment as 'production' | 'sandbox' | 'development' | null,
  status: row.status as 'active' | 'disabled',
  created_by: row.createdBy,
  creator_removed: removedCreators.has(row.createdBy),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  last_used_at: toIsoOrNull(row.lastUsedAt),
  secret_rotated_at: toIsoOrNull(row.secretRotatedAt),
})

/** Returns the public view of a workspace, with the role of the caller. */
export const workspaceView = (row: WorkspaceRow): z.input<typeof Workspace> => ({
  workspace_id: row.workspace_id,
  name: row.name,
  slug: row.slug,
  shard: row.shard,
  location: row.location,
  role: row.role,
  metadata: row.metadata,
  settings: { timezone: row.timezone, locale: row.locale },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Returns the view of a pending invitation for the invited user. */
export const invitationView = (row: OwnInvitationRow): z.input<typeof Invitation> => ({
  id: row.invitation_id,
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  role: row.role,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})

/** Returns the public view of a session. @param current id of the session of the request */
export const sessionView = (row: SessionRow, current: string): z.input<typeof Session> => ({
  id: row.session_id,
  method: row.method,
  client_id: row.client_id,
  client_name: row.client_name,
  ip: row.ip,
  user_agent: row.user_agent,
  current: row.session_id === current,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at.toISOString(),
  expires_at: row.ends_at.toISOString(),
})

/** Returns type, scopes, workspace and expiry of the request's credential. */
const credentialView = (caller: Caller): Profile['credential'] => ({
  type: caller.principal.type === 'api_key' ? 'api_key' : 'bearer',
  scopes: caller.scopes,
  workspace_id: caller.workspaceId,
  expires_at: caller.credentialExpiresAt ?? null,
})

/**
 * Returns the profile of a user with the user's workspaces. @param session the session of the request, if it has one
 */
export const userProfile = (
  caller: Caller,
  user: User,
  workspaces: MembershipRow[],
  session: AuthenticatedSession | undefined,
): Profile => ({
  principal_type: 'user',
  user_id: user.userId,
  email: user.email,
  name: user.name,
  locale: user.locale,
  timezone: user.timezone,
  avatar_url: user.avatarUrl,
  workspaces,
  credential: {
    ...credentialView(caller),
    ...(session === undefined ? {} : { authenticated_at: session.authenticatedAt.toISOString() }),
  },
})

/** Returns the profile of a service principal. */
export const servicePrincipalProfile = (
  caller: Caller,
  { clientId, name, environment }: ServicePrincipal,
): Profile => ({
  principal_type: 'service_principal',
  client_id: clientId,
  name,
  environment,
  credential: credentialView(caller),
})

/** Returns the profile of an API key. */
export const apiKeyProfile = (caller: Caller, { key_id, name }: ApiKeyRow): Profile => ({
  principal_type: 'api_key',
  key_id,
  name,
  credential: credentialView(caller),
})
