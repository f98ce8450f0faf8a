import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, searchFilter, text } from '../core/shape/shape.ts'
import { invitationEndpoints } from './invitations.ts'
import { roleEndpoints } from './roles.ts'
import { NewUser, revokeKeys, UserPatch, userPath, WorkspaceUser } from './shapes/user-shapes.ts'

const users = '/v1/auth/admin/users'

const userEndpoints = declareEndpoints('auth', {
  listUsers: {
    method: 'GET',
    path: users,
    summary: 'List the members of the workspace and the invited users',
    description: 'A user with `status` `invited` has not accepted the invitation yet.',
    scope: 'auth:read',
    query: listQuery({
      role: text(100).optional().describe('Only users with the role of this name'),
      status: z
        .enum(['active', 'invited'])
        .optional()
        .describe('Only members, or only users with a pending invitation'),
      email: text(254).optional().describe('Only the user with this mail address'),
      search: searchFilter('the mail address or the name'),
    }),
    list: WorkspaceUser,
  },
  inviteUser: {
    method: 'POST',
    path: users,
    summary: 'Invite a user by mail; a pending invitation is renewed',
    description:
      'Creates the user; the membership begins when the user accepts the invitation within seven days. Inviting again sends another mail and invalidates the previous link.',
    scope: 'auth:admin',
    body: NewUser,
    created: WorkspaceUser,
    location: `${users}/{user_id}`,
    errors: [
      'unknown_reference',
      'scope_escalation',
      'owner_required',
      'already_member',
      'quota_exceeded',
      'rate_limited',
    ],
    audit: { action: 'user.invited', target: 'user', field: 'user_id' },
  },
  updateUserNamed: {
    method: 'PATCH',
    path: users,
    summary: 'Change the role of a user, with the user in the body',
    description:
      'The same as `PATCH /v1/auth/admin/users/{user_id}`, for clients that send the user in the body. The last owner keeps the role.',
    scope: 'auth:admin',
    resourceIdField: 'user_id',
    body: UserPatch.extend({ user_id: id('usr') }),
    ok: WorkspaceUser,
    errors: ['unknown_reference', 'scope_escalation', 'owner_required', 'last_owner'],
    audit: { action: 'user.role_changed', target: 'user', field: 'user_id' },
  },
  removeUserNamed: {
    method: 'DELETE',
    path: users,
    summary: 'Remove a member or an invitation, with the user in the query',
    description: 'The same as `DELETE /v1/auth/admin/users/{user_id}`, for clients that send the user in the query.',
    scope: 'auth:admin',
    resourceIdField: 'user_id',
    query: z.strictObject({ user_id: id('usr'), revoke_keys: revokeKeys }),
    deleted: 'user_id',
    errors: ['not_found', 'scope_escalation', 'last_owner'],
    audit: { action: 'user.removed', target: 'user', field: 'user_id' },
  },
  getUser: {
    method: 'GET',
    path: `${users}/{user_id}`,
    summary: 'Read a member or an invited user',
    description:
      'Returns the name, the role and the status of the membership, also by the `user_id` from before the user accepted an invitation, which changing and removing do not accept. Users of other workspaces are not found.',
    scope: 'auth:read',
    params: userPath,
    ok: WorkspaceUser,
  },
  updateUser: {
    method: 'PATCH',
    path: `${users}/{user_id}`,
    summary: 'Change the role of a user; it applies within a second',
    description:
      'You can grant only scopes that you have, and only owners can make an owner. The last owner keeps the role.',
    scope: 'auth:admin',
    params: userPath,
    body: UserPatch,
    ok: WorkspaceUser,
    errors: ['unknown_reference', 'scope_escalation', 'owner_required', 'last_owner'],
    audit: { action: 'user.role_changed', target: 'user', field: 'user_id' },
  },
  removeUser: {
    method: 'DELETE',
    path: `${users}/{user_id}`,
    summary: 'Remove a member, who loses access within a second, or an invitation',
    description:
      'The user keeps the account and other workspaces. With `revoke_keys`, API keys and service principals that the user created end too, and those that these principals created. The last owner cannot be removed.',
    scope: 'auth:admin',
    params: userPath,
    query: z.strictObject({ revoke_keys: revokeKeys }),
    deleted: 'user_id',
    errors: ['scope_escalation', 'last_owner'],
    audit: { action: 'user.removed', target: 'user', field: 'user_id' },
  },
})

/** The users of a workspace, their roles and invitations. */
export const authUsers = { ...userEndpoints, ...roleEndpoints, ...invitationEndpoints }
