import type { Operations, surfaces, systemWorkspaces } from '@wp/contracts'
import type { Context } from '../context.ts'
import { acceptInvitation, acceptInvitationPage, confirmInvitation } from './accept-invitation.ts'
import { deleteApiKey, getApiKey, listApiKeys, updateApiKey } from './api-keys.ts'
import { startAuthorizationLogin, verifyAuthorizationLogin } from './authorization-login.ts'
import { authorize } from './authorize.ts'
import { createApiKey } from './create-api-key.ts'
import { createServicePrincipal } from './create-service-principal.ts'
import { createWorkspace } from './create-workspace.ts'
import { decideAuthorization } from './decide-authorization.ts'
import { samlCallback, samlMetadata } from './directory/saml.ts'
import {
  getScimConfig,
  getScimResourceType,
  getScimSchema,
  listScimResourceTypes,
  listScimSchemas,
  sendScimBulk,
} from './directory/scim-discovery.ts'
import {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  patchScimGroup,
  replaceScimGroup,
} from './directory/scim-groups.ts'
import { createScimToken, deleteScimToken, listScimTokens } from './directory/scim-tokens.ts'
import {
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
  patchScimUser,
  replaceScimUser,
} from './directory/scim-users.ts'
import { getSignInPolicy, updateSignInPolicy } from './directory/sign-in-policy.ts'
import {
  deleteSsoConnection,
  getSsoConnection,
  testSsoConnection,
  updateSsoConnection,
} from './directory/sso-connection.ts'
import {
  createSsoDomain,
  deleteSsoDomain,
  getSsoDomain,
  listSsoDomains,
  verifySsoDomain,
} from './directory/sso-domains.ts'
import { loginWithSso, ssoCallback } from './directory/sso-login.ts'
import { exchangeToken } from './exchange-token.ts'
import {
  listNotificationRecipients,
  readIdentityChanges,
  readOwnership,
  readQuotaUsage,
  readSeatUsage,
} from './internal.ts'
import { acceptInvitationById, declineInvitation, listInvitations } from './invitations.ts'
import { inviteUser } from './invite-user.ts'
import { login, verify } from './login.ts'
import { openLoginLink, showLoginLink } from './login-link.ts'
import { me, updateMe } from './me.ts'
import { apiResourceMetadata, keySet, mcpResourceMetadata, serverMetadata } from './metadata.ts'
import { cancelPasskeyRecovery, getPasskeySettings, updatePasskeySettings } from './passkeys/passkey-settings.ts'
import { deletePasskey, listPasskeys, updatePasskey } from './passkeys/passkeys.ts'
import { cancelPasskeyRecoveryByLink, showPasskeyRecovery, startPasskeyRecovery } from './passkeys/recover-account.ts'
import { createPasskey, startPasskeyRegistration } from './passkeys/register-passkey.ts'
import { startPasskeyLogin, startPasskeyReauthentication } from './passkeys/start-passkey-login.ts'
import { createPortalKey, deletePortalKey } from './portal-keys.ts'
import { githubCallback, googleCallback } from './provider-callback.ts'
import { loginWithGithub, loginWithGoogle } from './provider-login.ts'
import { registerClient } from './register-client.ts'
import { removeUser, removeUserNamed } from './remove-user.ts'
import { resolve, resolveMany } from './resolve.ts'
import { revokeToken } from './revoke-token.ts'
import { createRole, deleteRole, deleteRoleNamed, getRole, listRoles, updateRole, updateRoleNamed } from './roles.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import { rotateServicePrincipalSecret } from './rotate-service-principal-secret.ts'
import { getSavedViews, replaceSavedViews } from './saved-views.ts'
import { deleteServicePrincipal, getServicePrincipal, listServicePrincipals } from './service-principals.ts'
import { endSession, listSessions, logout } from './sessions.ts'
import { endReportedSession, showSignInAlert } from './sign-in-alert.ts'
import { startReauthentication } from './start-reauthentication.ts'
import { updateServicePrincipal } from './update-service-principal.ts'
import { getUser, listUsers, updateUser, updateUserNamed } from './users.ts'
import { verifyReauthentication } from './verify-reauthentication.ts'
import { cancelWorkspaceDeletion, deleteWorkspace, getWorkspaceDeletion } from './workspace-deletion.ts'
import { getWorkspace, getWorkspaceById, listWorkspaces, updateWorkspace } from './workspaces.ts'

/** The operations of the auth surface, public and internal. */
export const operations = {
  exchangeToken,
  keySet,
  serverMetadata,
  apiResourceMetadata,
  mcpResourceMetadata,
  me,
  updateMe,
  getSavedViews,
  replaceSavedViews,
  createApiKey,
  listApiKeys,
  getApiKey,
  updateApiKey,
  deleteApiKey,
  rotateApiKey,
  createServicePrincipal,
  listServicePrincipals,
  getServicePrincipal,
  updateServicePrincipal,
  deleteServicePrincipal,
  rotateServicePrincipalSecret,
  listUsers,
  inviteUser,
  updateUserNamed,
  removeUserNamed,
  getUser,
  updateUser,
  removeUser,
  listRoles,
  createRole,
  updateRoleNamed,
  deleteRoleNamed,
  getRole,
  updateRole,
  deleteRole,
  createScimToken,
  listScimTokens,
  deleteScimToken,
  getSignInPolicy,
  updateSignInPolicy,
  getScimConfig,
  listScimResourceTypes,
  getScimResourceType,
  getScimSchema,
  listScimSchemas,
  listScimUsers,
  createScimUser,
  getScimUser,
  replaceScimUser,
  patchScimUser,
  deleteScimUser,
  listScimGroups,
  createScimGroup,
  getScimGroup,
  replaceScimGroup,
  patchScimGroup,
  deleteScimGroup,
  sendScimBulk,
  getSsoConnection,
  updateSsoConnection,
  deleteSsoConnection,
  testSsoConnection,
  listSsoDomains,
  createSsoDomain,
  getSsoDomain,
  verifySsoDomain,
  deleteSsoDomain,
  listInvitations,
  acceptInvitationById,
  declineInvitation,
  acceptInvitationPage,
  acceptInvitation,
  confirmInvitation,
  login,
  verify,
  showLoginLink,
  openLoginLink,
  loginWithSso,
  ssoCallback,
  samlCallback,
  samlMetadata,
  loginWithGoogle,
  googleCallback,
  loginWithGithub,
  githubCallback,
  registerClient,
  authorize,
  decideAuthorization,
  startAuthorizationLogin,
  verifyAuthorizationLogin,
  startReauthentication,
  verifyReauthentication,
  listPasskeys,
  startPasskeyRegistration,
  createPasskey,
  updatePasskey,
  deletePasskey,
  startPasskeyLogin,
  startPasskeyReauthentication,
  getPasskeySettings,
  updatePasskeySettings,
  cancelPasskeyRecovery,
  startPasskeyRecovery,
  showPasskeyRecovery,
  cancelPasskeyRecoveryByLink,
  showSignInAlert,
  endReportedSession,
  logout,
  revokeToken,
  listSessions,
  endSession,
  listNotificationRecipients,
  readIdentityChanges,
  createPortalKey,
  deletePortalKey,
  readQuotaUsage,
  readOwnership,
  readSeatUsage,
  resolve,
  resolveMany,
} satisfies Operations<typeof surfaces.auth, Context>

/** The workspace operations of the system surface. Auth serves them because it stores workspaces and memberships. */
export const workspaceOperations = {
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  getWorkspaceById,
  updateWorkspace,
  deleteWorkspace,
  getWorkspaceDeletion,
  cancelWorkspaceDeletion,
} satisfies Operations<typeof systemWorkspaces, Context>
