import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { listQuery } from '../core/shape/shape.ts'
import { NewRole, Role, RolePatch, roleId, rolePath } from './shapes/user-shapes.ts'

const roles = '/v1/auth/admin/roles'

/** The roles of a workspace. */
export const roleEndpoints = declareEndpoints('auth', {
  listRoles: {
    method: 'GET',
    path: roles,
    summary: 'List roles: the built-in ones, then those of the workspace',
    description:
      'A role is a named set of scopes. The built-in roles `owner`, `admin`, `member` and `viewer` exist in every workspace and cannot be changed.',
    scope: 'auth:read',
    query: listQuery({
      built_in: z.stringbool().optional().describe('Only built-in roles, or only those of the workspace'),
    }),
    list: Role,
  },
  createRole: {
    method: 'POST',
    path: roles,
    summary: 'Create a role',
    description: 'The name must be free in the workspace, and the scopes must be among yours.',
    scope: 'auth:admin',
    body: NewRole,
    created: Role,
    location: `${roles}/{role_id}`,
    errors: ['scope_escalation', 'name_taken'],
    audit: { action: 'role.created', target: 'role', field: 'role_id' },
  },
  updateRoleNamed: {
    method: 'PATCH',
    path: roles,
    summary: 'Change a role, with the role in the body',
    description: 'The same as `PATCH /v1/auth/admin/roles/{role_id}`, for clients that send the role in the body.',
    scope: 'auth:admin',
    resourceIdField: 'role_id',
    body: RolePatch.extend({ role_id: roleId }),
    ok: Role,
    errors: ['unknown_reference', 'scope_escalation', 'name_taken', 'conflict'],
    audit: { action: 'role.updated', target: 'role', field: 'role_id' },
  },
  deleteRoleNamed: {
    method: 'DELETE',
    path: roles,
    summary: 'Delete a role, with the role in the query',
    description: 'The same as `DELETE /v1/auth/admin/roles/{role_id}`, for clients that send the role in the query.',
    scope: 'auth:admin',
    resourceIdField: 'role_id',
    query: z.strictObject({ role_id: roleId }),
    deleted: 'role_id',
    errors: ['not_found', 'scope_escalation', 'role_in_use', 'conflict'],
    audit: { action: 'role.deleted', target: 'role', field: 'role_id' },
  },
  getRole: {
    method: 'GET',
    path: `${roles}/{role_id}`,
    summary: 'Read a role',
    description:
      'Returns the scopes of a built-in role, by its name, or of a role of the workspace, by its identifier.',
    scope: 'auth:read',
    params: rolePath,
    ok: Role,
  },
  updateRole: {
    method: 'PATCH',
    path: `${roles}/{role_id}`,
    summary: 'Change a role; it applies to its members within a second',
    description:
      'Changes the name, the scopes or both. Built-in roles cannot be changed. Members with the role get or lose its scopes without signing in again.',
    scope: 'auth:admin',
    params: rolePath,
    body: RolePatch,
    ok: Role,
    errors: ['scope_escalation', 'name_taken', 'conflict'],
    audit: { action: 'role.updated', target: 'role', field: 'role_id' },
  },
  deleteRole: {
    method: 'DELETE',
    path: `${roles}/{role_id}`,
    summary: 'Delete a role that is not in use',
    description: 'First give its members and pending invitations another role. Built-in roles cannot be deleted.',
    scope: 'auth:admin',
    params: rolePath,
    deleted: 'role_id',
    errors: ['scope_escalation', 'role_in_use', 'conflict'],
    audit: { action: 'role.deleted', target: 'role', field: 'role_id' },
  },
})
