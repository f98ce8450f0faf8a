import type { Operations, surfaces, systemWorkspaces } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelWorkspaceDeletion } from './cancel-workspace-deletion.ts'
import { createApiKey } from './create-api-key.ts'
import { createServicePrincipal } from './create-service-principal.ts'
import { createWorkspace } from './create-workspace.ts'
import { deleteApiKey } from './delete-api-key.ts'
import { deleteServicePrincipal } from './delete-service-principal.ts'
import { deleteWorkspace } from './delete-workspace.ts'
import { endSession } from './end-session.ts'
import { exchangeToken } from './exchange-token.ts'
import { getApiKey } from './get-api-key.ts'
import { getServicePrincipal } from './get-service-principal.ts'
import { getWorkspace } from './get-workspace.ts'
import { getWorkspaceById } from './get-workspace-by-id.ts'
import { getWorkspaceDeletion } from './get-workspace-deletion.ts'
import { keySet } from './key-set.ts'
import { listApiKeys } from './list-api-keys.ts'
import { listNotificationRecipients } from './list-notification-recipients.ts'
import { listServicePrincipals } from './list-service-principals.ts'
import { listSessions } from './list-sessions.ts'
import { listWorkspaces } from './list-workspaces.ts'
import { logout } from './logout.ts'
import { me } from './me.ts'
import { readIdentityChanges } from './read-identity-changes.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
import { readSeatUsage } from './read-seat-usage.ts'
import { resolve, resolveMany } from './resolve.ts'
import { apiResourceMetadata, mcpResourceMetadata } from './resource-metadata.ts'
import { revokeToken } from './revoke-token.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import { rotateServicePrincipalSecret } from './rotate-service-principal-secret.ts'
import { serverMetadata } from './server-metadata.ts'
import { signIn } from './sign-in-operations.ts'
import { updateApiKey } from './update-api-key.ts'
import { updateMe } from './update-me.ts'
import { updateServicePrincipal } from './update-service-principal.ts'
import { updateWorkspace } from './update-workspace.ts'
import { users } from './user-operations.ts'

/** The operations of the auth surface, public and internal. */
export const operations = {
  exchangeToken,
  keySet,
  serverMetadata,
  apiResourceMetadata,
  mcpResourceMetadata,
  me,
  updateMe,
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
  ...users,
  ...signIn,
  logout,
  revokeToken,
  listSessions,
  endSession,
  listNotificationRecipients,
  readIdentityChanges,
  readQuotaUsage,
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
