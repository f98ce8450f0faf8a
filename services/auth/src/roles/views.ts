import { Role, WorkspaceUser } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { RoleRow } from '../store/workspaces/roles.ts'
import type { WorkspaceUserRow } from '../store/workspaces/workspace-users.ts'
import type { BuiltInRoleDefinition } from './built-in-roles.ts'

/** Returns the public view of a member or an invited user. */
export const workspaceUserView = (row: WorkspaceUserRow): z.input<typeof WorkspaceUser> =>
  viewOf(WorkspaceUser, row, {
    invitation:
      row.invitationId === null || row.invitationExpiresAt === null
        ? null
        : { id: row.invitationId, expires_at: row.invitationExpiresAt.toISOString() },
  })

/** Returns the public view of a custom role. */
export const customRoleView = (row: RoleRow): z.input<typeof Role> => viewOf(Role, row, { built_in: false })

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
