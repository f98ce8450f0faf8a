import { invalidField, problem } from '@wp/contracts'
import type { Operation } from '../../context.ts'
import { findRoleByNameOrId } from '../../roles/built-in-roles.ts'
import { assertCanAssignRole, type CallerAuthority } from '../../roles/caller-authority.ts'
import { transactAsAdmin } from '../../roles/transact-as-admin.ts'
import { assignGroupRoles } from '../../scim/provision-user.ts'
import type { Tx } from '../../store/client.ts'
import { readSignInPolicy, replaceGroupRoles, upsertDefaultRole } from '../../store/directory/sign-in-policy.ts'
import { signInPolicyView } from '../../views.ts'

/** Returns the roles that members from a directory get. */
export const getSignInPolicy: Operation<'getSignInPolicy'> = async ({ database }, caller) =>
  signInPolicyView(
    caller.workspaceId,
    await database.read(caller, (_db, query) => readSignInPolicy(query, caller.workspaceId)),
  )

/** Changes the roles that members from a directory get, and those of the members it has. */
export const updateSignInPolicy: Operation<'updateSignInPolicy'> = async (context, caller, { body }) => {
  const { workspaceId } = caller
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const before = await readSignInPolicy(tx.query, workspaceId)
    const requireRole = (name: string, pointer: string) =>
      requireAssignableRole(tx, workspaceId, { authority, name, pointer })
    const defaultRole =
      body.default_role === undefined ? before.defaultRole : await requireRole(body.default_role, '/default_role')
    await upsertDefaultRole(tx, workspaceId, defaultRole)
    if (body.group_roles !== undefined) {
      const groupRoles = []
      for (const [index, { group: groupName, role }] of body.group_roles.entries())
        groupRoles.push({ groupName, ...(await requireRole(role, `/group_roles/${index}/role`)) })
      await replaceGroupRoles(tx, workspaceId, groupRoles)
    }
    const changed = await assignGroupRoles(context, tx, workspaceId, undefined)
    const policy = await readSignInPolicy(tx.query, workspaceId)
    tx.audit({
      changes: {
        default_role: policy.defaultRole.role,
        group_roles: policy.groupRoles.map(({ groupName, role }) => `${groupName}: ${role}`),
        roles_changed: changed,
      },
    })
    return signInPolicyView(workspaceId, policy)
  })
}

interface RoleRequest {
  authority: CallerAuthority
  name: string
  pointer: string
}

async function requireAssignableRole(tx: Tx, workspaceId: string, { authority, name, pointer }: RoleRequest) {
  const role = await findRoleByNameOrId(tx, workspaceId, name)
  if (role === undefined) throw invalidField(pointer, 'does not exist in this workspace', 'unknown_reference')
  if (role.builtInRole === 'owner')
    throw problem('owner_required', { detail: `${pointer}: a directory cannot give the owner role` })
  assertCanAssignRole(authority, role)
  return role
}
