import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { listQuery } from '../core/shape.ts'
import { NewRole, Role, RolePatch, roleId, rolePath } from './user-shapes.ts'

const roles = '/v1/auth/admin/roles'

/** The roles of a workspace. */
export const roleEndpoints = {
  listRoles: endpoint({
    id: 'auth.listRoles',
    method: 'GET',
    path: roles,
    summary: 'List roles: the built-in ones, then those of the workspace',
    scope: 'auth:read',
    query: listQuery({ built_in: z.stringbool().optional() }),
    list: Role,
  }),
  createRole: endpoint({
    id: 'auth.createRole',
    method: 'POST',
    path: roles,
    summary: 'Create a role',
    scope: 'auth:admin',
    body: NewRole,
    created: Role,
    location: `${roles}/{role_id}`,
    errors: ['scope_escalation', 'name_taken'],
    audit: { action: 'role.created', target: 'role', field: 'role_id' },
  }),
  updateRoleNamed: endpoint({
    id: 'auth.updateRoleNamed',
    method: 'PATCH',
    path: roles,
    summary: 'Change a role, with the role in the body',
    scope: 'auth:admin',
    resourceIdField: 'role_id',
    body: RolePatch.extend({ role_id: roleId }),
    ok: Role,
    errors: ['unknown_reference', 'scope_escalation', 'name_taken', 'conflict'],
    audit: { action: 'role.updated', target: 'role', field: 'role_id' },
  }),
  deleteRoleNamed: endpoint({
    id: 'auth.deleteRoleNamed',
    method: 'DELETE',
    path: roles,
    summary: 'Delete a role, with the role in the query',
    scope: 'auth:admin',
    resourceIdField: 'role_id',
    query: z.strictObject({ role_id: roleId }),
    deleted: 'role_id',
    errors: ['not_found', 'scope_escalation', 'role_in_use', 'conflict'],
    audit: { action: 'role.deleted', target: 'role', field: 'role_id' },
  }),
  getRole: endpoint({
    id: 'auth.getRole',
    method: 'GET',
    path: `${roles}/{role_id}`,
    summary: 'Read a role',
    scope: 'auth:read',
    params: rolePath,
    ok: Role,
  }),
  updateRole: endpoint({
    id: 'auth.updateRole',
    method: 'PATCH',
    path: `${roles}/{role_id}`,
    summary: 'Change a role; it applies to its members within a second',
    scope: 'auth:admin',
    params: rolePath,
    body: RolePatch,
    ok: Role,
    errors: ['scope_escalation', 'name_taken', 'conflict'],
    audit: { action: 'role.updated', target: 'role', field: 'role_id' },
  }),
  deleteRole: endpoint({
    id: 'auth.deleteRole',
    method: 'DELETE',
    path: `${roles}/{role_id}`,
    summary: 'Delete a role that is not in use',
    scope: 'auth:admin',
    params: rolePath,
    deleted: 'role_id',
    errors: ['scope_escalation', 'role_in_use', 'conflict'],
    audit: { action: 'role.deleted', target: 'role', field: 'role_id' },
  }),
}
