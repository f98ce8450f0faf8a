import { X509Certificate } from 'node:crypto'
import {
  ApiKey,
  auth,
  type Caller,
  Invitation,
  isScope,
  Passkey,
  ScimToken,
  Session,
  type SignInPolicy,
  SsoConnection,
  SsoDomain,
  Workspace,
} from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import { describeUserAgent } from './sign-in/describe-user-agent.ts'
import { ssoCallbackUrl } from './sso/sso-addresses.ts'
import type { ApiKeyRow } from './store/credentials/api-keys.ts'
import type { ServicePrincipal } from './store/credentials/service-principals.ts'
import type { SamlProviderRow } from './store/directory/saml-providers.ts'
import type { SignInPolicyRow } from './store/directory/sign-in-policy.ts'
import type { SsoConnectionRow } from './store/directory/sso-connections.ts'
import type { SsoDomainRow } from './store/directory/sso-domains.ts'
import type { PasskeyRow } from './store/passkeys/passkeys.ts'
import type { AuthenticatedSession, SessionRow } from './store/sessions/sessions.ts'
import type { MembershipRow, User } from './store/users.ts'
import type { OwnInvitationRow } from './store/workspaces/invitations.ts'
import type { WorkspaceRow } from './store/workspaces/workspaces.ts'

type Profile = z.input<typeof auth.me.ok>

const toIsoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns the public view of an API key, without secret and hash. */
export const apiKeyView = (row: ApiKeyRow): z.input<typeof ApiKey> => viewOf(ApiKey, row)

/** Returns the view of a new or rotated API key with its secret, which is shown only once. */
export const apiKeySecretView = (row: ApiKeyRow, apiKey: string): z.input<typeof auth.createApiKey.created> =>
  viewOf(auth.createApiKey.created, row, { api_key: apiKey })

/** Returns the view of the token of a directory, without its secret. */
export const scimTokenView = (row: ApiKeyRow): z.input<typeof ScimToken> => viewOf(ScimToken, row)

/** Returns the view of the roles that members from a directory get. */
export const signInPolicyView = (workspaceId: string, row: SignInPolicyRow): z.input<typeof SignInPolicy> => ({
  workspace_id: workspaceId,
  default_role: row.defaultRole.role,
  default_role_id: row.defaultRole.roleId,
  group_roles: row.groupRoles.map(({ groupName, role, roleId }) => ({ group: groupName, role, role_id: roleId })),
  updated_at: toIsoOrNull(row.updatedAt),
})

/** Returns the view of the connection of a workspace to its provider, without the secret. */
export const ssoConnectionView = (
  base: string,
  row: SsoConnectionRow,
  saml: SamlProviderRow | undefined,
): z.input<typeof SsoConnection> =>
  viewOf(SsoConnection, row, {
    kind: row.kind === 'saml' ? 'saml' : 'oidc',
    saml: saml === undefined ? null : samlProviderView(saml),
    required: row.isRequired,
    redirect_uri: ssoCallbackUrl(base, row.workspaceId),
  })

const samlProviderView = (row: SamlProviderRow): z.input<typeof SsoConnection>['saml'] => ({
  metadata_url: row.metadataUrl,
  sign_in_url: row.signInUrl,
  certificates: row.certificates.map((pem) => {
    const { subject, fingerprint256: fingerprint, validToDate } = new X509Certificate(pem)
    return { subject: subject.replaceAll('\n', ', '), fingerprint, expires_at: validToDate.toISOString() }
  }),
  signs_requests: row.signsRequests,
  encryption_certificate: row.ownCertificate,
  checked_at: row.checkedAt.toISOString(),
  failure: row.failure,
})

/** Returns the name of the DNS record that proves a domain. */
export const ssoRecordName = (domain: string): string => `_workspace-platform.${domain}`

/** Returns the view of a domain, with its DNS record. */
export const ssoDomainView = (row: SsoDomainRow): z.input<typeof SsoDomain> =>
  viewOf(SsoDomain, row, { txt_name: ssoRecordName(row.domain), txt_value: row.token })

/**
 * Returns the public view of a service principal, without secret and hash.
 * @param removedCreators ids of the creators that are no longer in the workspace
 */
export const servicePrincipalView = (
  row: ServicePrincipal,
  removedCreators: ReadonlySet<string>,
): z.input<typeof auth.getServicePrincipal.ok> =>
  viewOf(auth.getServicePrincipal.ok, row, {
    scopes: row.scopes.filter(isScope),
    // The columns contain only values the contracts accept; responses are validated against the contracts again.
    environment: row.environment as 'production' | 'sandbox' | 'development' | null,
    status: row.status as 'active' | 'disabled',
    creator_removed: removedCreators.has(row.createdBy),
  })

/** Returns the public view of a workspace, with the role of the caller. */
export const workspaceView = (row: WorkspaceRow): z.input<typeof Workspace> =>
  viewOf(Workspace, row, { settings: { timezone: row.timezone, locale: row.locale } })

/** Returns the view of a pending invitation for the invited user. */
export const invitationView = (row: OwnInvitationRow): z.input<typeof Invitation> =>
  viewOf(Invitation, row, { id: row.invitationId })

/** Returns the public view of a session. @param current id of the session of the request */
export const sessionView = (row: SessionRow, current: string): z.input<typeof Session> =>
  viewOf(Session, row, {
    id: row.sessionId,
    method: row.method.split(':', 1)[0] ?? row.method,
    device: describeUserAgent(row.userAgent),
    current: row.sessionId === current,
    expires_at: row.endsAt.toISOString(),
  })

/** Returns the public view of a passkey. */
export const passkeyView = (row: PasskeyRow): z.input<typeof Passkey> => viewOf(Passkey, row, { synced: row.isSynced })

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
  workspaces: workspaces.map(({ workspaceId, name, role }) => ({ workspace_id: workspaceId, name, role })),
  credential: {
    ...credentialView(caller),
    ...(session === undefined ? {} : { authenticated_at: session.authenticatedAt.toISOString() }),
  },
})

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

export const apiKeyProfile = (caller: Caller, { keyId: key_id, name }: ApiKeyRow): Profile => ({
  principal_type: 'api_key',
  key_id,
  name,
  credential: credentialView(caller),
})
