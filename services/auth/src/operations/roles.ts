import { problem } from '@wp/contracts'
import { decodeCursor, paginate } from '@wp/database'
import unhomoglyph from 'unhomoglyph'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import {
  type BuiltInRoleDefinition,
  builtInRoleDefinitions,
  builtInRolesAfter,
  cursorOfBuiltInRole,
  findBuiltInRole,
} from '../roles/built-in-roles.ts'
import { requireGrantableScopes } from '../roles/caller-authority.ts'
import { transactAsAdmin, withUnknownReferenceError } from '../roles/transact-as-admin.ts'
import { builtInRoleView, customRoleView } from '../roles/views.ts'
import type { Tx } from '../store/client.ts'
import {
  cursorOfRole,
  deleteRoleRow,
  insertRole,
  listRoleNames,
  listRoleRows,
  nameTakenProblem,
  type RoleRow,
  requireRole,
  updateRoleRow,
} from '../store/workspaces/roles.ts'

type Entry = { builtIn: BuiltInRoleDefinition } | { own: RoleRow }

/** Lists the built-in roles, then the custom roles of the workspace, newest first. */
export const listRoles: Operation<'listRoles'> = async ({ database }, caller, { query }) => {
  const { limit, cursor, built_in: wanted } = query
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const entries: Entry[] = wanted === false ? [] : builtInRolesAfter(after).map((builtIn) => ({ builtIn }))
  const remaining = limit + 1 - entries.length
  if (wanted !== true && remaining > 0) {
    const rows = await database.read(caller, (_db, sql) =>
      listRoleRows(sql, caller.workspaceId, { limit: remaining, cursor }),
    )
    entries.push(...rows.map((own) => ({ own })))
  }
  const { items, nextCursor } = paginate(entries, limit, cursorOf)
  return {
    items: items.map((entry) => ('own' in entry ? customRoleView(entry.own) : builtInRoleView(entry.builtIn))),
    nextCursor,
  }
}

const cursorOf = (entry: Entry) => ('own' in entry ? cursorOfRole(entry.own) : cursorOfBuiltInRole(entry.builtIn))

export const getRole: Operation<'getRole'> = async ({ database }, caller, { params }) => {
  const builtIn = findBuiltInRole(params.role_id)
  if (builtIn !== undefined) return builtInRoleView(builtIn)
  return customRoleView(
    await database.read(caller, (_db, query) => requireRole(query, caller.workspaceId, params.role_id)),
  )
}

/** Creates a custom role. Its scopes cannot exceed those of the creator. */
export const createRole: Operation<'createRole'> = async (context, caller, { body }) => {
  const { name, description = null } = body
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const scopes = requireGrantableScopes(authority.scopes, body.scopes)
    await requireDistinctName(tx, caller.workspaceId, { name })
    tx.audit({ changes: { name, scopes } })
    return customRoleView(await insertRole(tx, caller.workspaceId, { name, description, scopes }))
  })
}

/**
 * Updates a custom role. Neither its old nor its new scopes may exceed those of the caller. Cached identities of the
 * workspace are invalidated, because any of them may have the role.
 */
export const updateRole: Operation<'updateRole'> = async (context, caller, input) => {
  const { role_id: roleId } = input.params
  rejectBuiltInRole(roleId)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const before = await requireRole(tx.query, caller.workspaceId, roleId)
    requireGrantableScopes(authority.scopes, before.scopes)
    const scopes = requireGrantableScopes(authority.scopes, input.body.scopes ?? before.scopes)
    const { name = before.name, description = before.description } = input.body
    if (name !== before.name) await requireDistinctName(tx, caller.workspaceId, { name, ownId: roleId })
    const after = await updateRoleRow(tx, caller.workspaceId, roleId, { name, description, scopes })
    tx.audit({ changes: input.body })
    if (input.body.scopes !== undefined) publishInvalidation(context, tx, { workspace_id: caller.workspaceId })
    return customRoleView(after)
  })
}

export const updateRoleNamed: Operation<'updateRoleNamed'> = async (context, caller, { body: { role_id, ...body } }) =>
  await withUnknownReferenceError(
    '/role_id',
    updateRole(context, caller, { params: { role_id }, query: {}, headers: {}, body }),
  )

/** Rejects changes to a built-in role. @throws Problem `conflict` */
function rejectBuiltInRole(roleId: string): void {
  if (findBuiltInRole(roleId) !== undefined)
    throw problem('conflict', { detail: 'A built-in role cannot be changed or deleted' })
}

/** Deletes a custom role without members and invitations, whose scopes do not exceed those of the caller. */
export const deleteRole: Operation<'deleteRole'> = async (context, caller, { params }) => {
  const { role_id: roleId } = params
  rejectBuiltInRole(roleId)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const { name, scopes } = await requireRole(tx.query, caller.workspaceId, roleId)
    requireGrantableScopes(authority.scopes, scopes)
    if (!(await deleteRoleRow(tx, caller.workspaceId, roleId))) throw problem('role_in_use')
    tx.audit({ targets: [{ type: 'role', id: roleId }], changes: { name } })
    return { id: roleId }
  })
}

export const deleteRoleNamed: Operation<'deleteRoleNamed'> = async (context, caller, { query: { role_id } }) =>
  await deleteRole(context, caller, { params: { role_id }, query: {}, headers: {}, body: undefined })

/**
 * Rejects a name that looks like that of a built-in or another custom role, because people choose roles by name.
 * Requires the lock of `lockMemberships`.
 * @param ownId the role to be renamed
 * @throws Problem `name_taken`
 */
async function requireDistinctName(
  { query }: Tx,
  workspaceId: string,
  { name, ownId }: { name: string; ownId?: string },
): Promise<void> {
  const skeleton = skeletonOf(name)
  const others = [
    ...builtInRoleDefinitions.map((role) => role.name),
    ...(await listRoleNames(query, workspaceId, ownId)),
  ]
  if (others.some((other) => skeletonOf(other) === skeleton)) throw nameTakenProblem()
}

/**
 * Returns the skeleton of a name: equal for names that look alike, such as `admin` with a Cyrillic letter, in any case
 * (https://www.unicode.org/reports/tr39/#Confusable_Detection). It is for comparison only, never shown.
 */
const skeletonOf = (name: string): string =>
  unhomoglyph(name.normalize('NFKC').toLowerCase().normalize('NFD').replaceAll(ignorable, ''))
    .toLowerCase()
    .normalize('NFD')

/** Characters without a glyph of their own, which names from before `resourceName` may hold. */
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu
