import type { Role, WorkspaceUser } from '@wp/contracts'
import type { z } from 'zod'
import type { PersonRow } from '../store/people.ts'
import type { RoleRow } from '../store/roles.ts'
import type { BuiltIn } from './built-in.ts'

/** A member, or somebody who is invited. */
export const personView = (row: PersonRow): z.input<typeof WorkspaceUser> => ({
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  role: row.role,
  role_id: row.role_id,
  status: row.status,
  invitation:
    row.invitation_id === null || row.invitation_expires_at === null
      ? null
      : { id: row.invitation_id, expires_at: row.invitation_expires_at.toISOString() },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** A role of the workspace's own. */
export const roleView = (row: RoleRow): z.input<typeof Role> => ({
  role_id: row.role_id,
  name: row.name,
  description: row.description,
  scopes: row.scopes,
  built_in: false,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** A role that every workspace has. */
export const builtInView = ({ name, scopes }: BuiltIn): z.input<typeof Role> => ({
  role_id: name,
  name,
  description: null,
  scopes: [...scopes],
  built_in: true,
  created_at: null,
  updated_at: null,
})
