import type { RequestCaller, WorkspaceCaller } from '@wp/contracts'
import type { Context, Operation } from '../../context.ts'
import { transactAsAdmin } from '../../roles/transact-as-admin.ts'
import { requireMatch, withInvalidFilter } from '../../scim/conditions.ts'
import { parseFilter } from '../../scim/filter.ts'
import { applyPatch } from '../../scim/patch.ts'
import { project } from '../../scim/projection.ts'
import { activate, deactivate, type MembershipChange } from '../../scim/provision-user.ts'
import { listResult, readPage, resourceResult, scimResult, userResource } from '../../scim/resources.ts'
import { scimError } from '../../scim/scim-error.ts'
import { mailAddressOf, readUserDocument, type UserDocument, userAttributes } from '../../scim/user-document.ts'
import type { Tx } from '../../store/client.ts'
import {
  deleteScimUserRow,
  insertScimUser,
  listScimUserRows,
  requireScimUser,
  type ScimUserFields,
  type ScimUserRow,
  updateScimUser,
} from '../../store/directory/scim-users.ts'
import { ensureUser } from '../../store/users.ts'

export type DirectoryCaller = RequestCaller<WorkspaceCaller>

export const listScimUsers: Operation<'listScimUsers'> = async (context, caller, { query }) => {
  const page = readPage(query)
  const filter = query.filter === undefined ? undefined : parseFilter(query.filter)
  const { rows, total } = await withInvalidFilter(
    context.database.read(caller, (_db, sql) => listScimUserRows(sql, caller.workspaceId, { filter, ...page })),
  )
  return listResult(
    rows.map((row) => project(userResource(context.publicBaseUrl, row), query)),
    { total, startIndex: page.startIndex },
  )
}

export const getScimUser: Operation<'getScimUser'> = async (context, caller, { params, query }) => {
  const { scim_user_id: id } = params
  const row = await context.database.read(caller, (_db, sql) => requireScimUser(sql, caller.workspaceId, id))
  return resourceResult(200, userResource(context.publicBaseUrl, row), query)
}

/** Creates a user of the directory, who becomes a member unless the directory says that they are not active. */
export const createScimUser: Operation<'createScimUser'> = async (context, caller, { body }) => {
  const document = readUserDocument(body)
  const email = mailAddressOf(document)
  const { workspaceId } = caller
  const row = await transactWithDirectory(context, caller, async (tx) => {
    const userId = await ensureUser(tx, email)
    const scimUserId = await insertScimUser(tx, workspaceId, userId, fieldsOf(document))
    if (scimUserId === undefined) throw takenProblem(document)
    const user = { scimUserId, userId, userName: document.userName }
    // A directory may know a member before it: then it takes them over.
    const setMembership = document.active ? activate : deactivate
    auditUser(tx, user, await setMembership(context, tx, workspaceId, user))
    return await requireScimUser(tx.query, workspaceId, scimUserId)
  })
  return resourceResult(201, userResource(context.publicBaseUrl, row))
}

export const replaceScimUser: Operation<'replaceScimUser'> = async (context, caller, input) =>
  await changeUser(context, caller, input, () => readUserDocument(input.body))

export const patchScimUser: Operation<'patchScimUser'> = async (context, caller, input) =>
  await changeUser(context, caller, input, (row) =>
    readUserDocument(
      applyPatch(
        { ...row.attributes, userName: row.userName, externalId: row.externalId, active: row.active },
        input.body,
        userAttributes,
      ),
    ),
  )

async function changeUser(
  context: Context,
  caller: DirectoryCaller,
  { params: { scim_user_id: id }, headers }: { params: { scim_user_id: string }; headers: { 'if-match'?: string } },
  change: (row: ScimUserRow) => UserDocument,
) {
  const { workspaceId } = caller
  const row = await transactWithDirectory(context, caller, async (tx) => {
    const before = await requireScimUser(tx.query, workspaceId, id)
    requireMatch(headers, before)
    const document = change(before)
    if (!(await updateScimUser(tx, workspaceId, id, fieldsOf(document)))) throw takenProblem(document)
    const user = { ...before, userName: document.userName }
    const setMembership = document.active ? activate : deactivate
    auditUser(tx, user, await setMembership(context, tx, workspaceId, user))
    return await requireScimUser(tx.query, workspaceId, id)
  })
  return resourceResult(200, userResource(context.publicBaseUrl, row))
}

/** Deletes a user of the directory, who loses the workspace. */
export const deleteScimUser: Operation<'deleteScimUser'> = async (
  context,
  caller,
  { params: { scim_user_id: id }, headers },
) => {
  const { workspaceId } = caller
  await transactWithDirectory(context, caller, async (tx) => {
    const user = await requireScimUser(tx.query, workspaceId, id)
    requireMatch(headers, user)
    const change = await deactivate(context, tx, workspaceId, user)
    await deleteScimUserRow(tx, workspaceId, id)
    auditUser(tx, user, change)
  })
  return scimResult(204, undefined)
}

export const transactWithDirectory = <T>(context: Context, caller: DirectoryCaller, work: (tx: Tx) => Promise<T>) =>
  transactAsAdmin(context, caller, work, 'auth:provision')

const fieldsOf = ({ userName, externalId, active, ...attributes }: UserDocument): ScimUserFields => ({
  userName,
  externalId: externalId ?? null,
  active,
  attributes,
})

const takenProblem = ({ userName }: UserDocument) =>
  scimError('uniqueness', `A user with the userName ${userName}, or with the same mail address, exists`, 'conflict')

function auditUser(tx: Tx, { userId: id }: { userId: string }, change: MembershipChange | undefined): void {
  const target = { type: 'user', id }
  if (change === undefined) {
    tx.audit({ targets: [target] })
    return
  }
  const { action, role = null, revoked } = change
  tx.audit({
    action,
    targets: [target, ...revoked],
    changes: action === 'user.provisioned' ? { role } : { role_before: role },
  })
}
