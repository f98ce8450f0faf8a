import type { Role, WorkspaceUser } from '@wp/contracts'
import type { z } from 'zod'
import type { RoleRow } from '../store/workspaces/roles.ts'
import type { WorkspaceUserRow } from '../store/workspaces/workspace-users.ts'
import type { BuiltInRoleDefinition } from './built-in-roles.ts'

/** Returns the public view of a member or an invited user. */
export const workspaceUserView = (row: WorkspaceUserRow): z.input<typeof WorkspaceUser> => ({
  user_id: row.userId,
  email: row.email,
  name: row.name,
  role: row.role,
  role_id: row.roleId,
  status: row.status,
  invitation:
    row.invitationId === null || row.invitationExpiresAt === null
      ? null
      : { id: row.invitationId, expires_at: row.invitationExpiresAt.toISOString() },
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** Returns the public view of a custom role. */
export const customRoleView = (row: RoleRow): z.input<typeof Role> => ({
  role_id: row.roleId,
  name: row.name,
  description: row.description,
  scopes: row.scopes,
  built_in: false,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** Returns the public view of a built-in role. */
export const builtInRoleView = ({ name, scopes }: BuiltInRoleDefinition): z.input<typeof Role> => ({
  role_id: name,
  name,
  description: null,
  scopes: [...scopes],
  built_in: true,
  created_at: null,
  updated_at: null,
})
