// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { acceptInvitation, acceptInvitationPage, confirmInvitation } from './accept-invitation.ts'
export { deleteApiKey, getApiKey, listApiKeys, updateApiKey } from './api-keys.ts'
export { startAuthorizationLogin, verifyAuthorizationLogin } from './authorization-login.ts'
export { authorize } from './authorize.ts'
export { createApiKey } from './create-api-key.ts'
export { createServicePrincipal } from './create-service-principal.ts'
export { createWorkspace } from './create-workspace.ts'
export { decideAuthorization } from './decide-authorization.ts'
export { samlCallback, samlMetadata } from './directory/saml.ts'
export {
  getScimConfig,
  getScimResourceType,
  getScimSchema,
  listScimResourceTypes,
  listScimSchemas,
  sendScimBulk,
} from './directory/scim-discovery.ts'
export {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  patchScimGroup,
  replaceScimGroup,
} from './directory/scim-groups.ts'
export { createScimToken, deleteScimToken, listScimTokens } from './directory/scim-tokens.ts'
export {
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
  patchScimUser,
  replaceScimUser,
} from './directory/scim-users.ts'
export { getSignInPolicy, updateSignInPolicy } from './directory/sign-in-policy.ts'
export {
  deleteSsoConnection,
  getSsoConnection,
  testSsoConnection,
  updateSsoConnection,
} from './directory/sso-connection.ts'
export {
  createSsoDomain,
  deleteSsoDomain,
  getSsoDomain,
  listSsoDomains,
  verifySsoDomain,
} from './directory/sso-domains.ts'
export { loginWithSso, ssoCallback } from './directory/sso-login.ts'
export { exchangeToken } from './exchange-token.ts'
export {
  listNotificationRecipients,
  readIdentityChanges,
  readOwnership,
  readQuotaUsage,
  readSeatUsage,
} from './internal.ts'
export { acceptInvitationById, declineInvitation, listInvitations } from './invitations.ts'
export { inviteUser } from './invite-user.ts'
export { login, verify } from './login.ts'
export { openLoginLink, showLoginLink } from './login-link.ts'
export { me, updateMe } from './me.ts'
export { apiResourceMetadata, keySet, mcpResourceMetadata, serverMetadata } from './metadata.ts'
export { cancelPasskeyRecovery, getPasskeySettings, updatePasskeySettings } from './passkeys/passkey-settings.ts'
export { deletePasskey, listPasskeys, updatePasskey } from './passkeys/passkeys.ts'
export { cancelPasskeyRecoveryByLink, showPasskeyRecovery, startPasskeyRecovery } from './passkeys/recover-account.ts'
export { createPasskey, startPasskeyRegistration } from './passkeys/register-passkey.ts'
export { startPasskeyLogin, startPasskeyReauthentication } from './passkeys/start-passkey-login.ts'
export { createPortalKey, deletePortalKey } from './portal-keys.ts'
export { githubCallback, googleCallback } from './provider-callback.ts'
export { loginWithGithub, loginWithGoogle } from './provider-login.ts'
export { registerClient } from './register-client.ts'
export { removeUser, removeUserNamed } from './remove-user.ts'
export { resolve, resolveMany } from './resolve.ts'
export { revokeToken } from './revoke-token.ts'
export { createRole, deleteRole, deleteRoleNamed, getRole, listRoles, updateRole, updateRoleNamed } from './roles.ts'
export { rotateApiKey } from './rotate-api-key.ts'
export { rotateServicePrincipalSecret } from './rotate-service-principal-secret.ts'
export { getSavedViews, replaceSavedViews } from './saved-views.ts'
export { deleteServicePrincipal, getServicePrincipal, listServicePrincipals } from './service-principals.ts'
export { endSession, listSessions, logout } from './sessions.ts'
export { endReportedSession, showSignInAlert } from './sign-in-alert.ts'
export { startReauthentication } from './start-reauthentication.ts'
export { updateServicePrincipal } from './update-service-principal.ts'
export { getUser, listUsers, updateUser, updateUserNamed } from './users.ts'
export { verifyReauthentication } from './verify-reauthentication.ts'
export { cancelWorkspaceDeletion, deleteWorkspace, getWorkspaceDeletion } from './workspace-deletion.ts'
export { getWorkspace, getWorkspaceById, listWorkspaces, updateWorkspace } from './workspaces.ts'
