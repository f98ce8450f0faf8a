import { boundedArray } from '@wp/contracts'
import { z } from 'zod'
import type { Context, Operation } from '../../context.ts'
import { requireMatch, withInvalidFilter } from '../../scim/conditions.ts'
import { parseFilter } from '../../scim/filter.ts'
import { type AttributeNames, applyPatch, type Document } from '../../scim/patch.ts'
import { leavesOut, project } from '../../scim/projection.ts'
import { assignGroupRoles } from '../../scim/provision-user.ts'
import { groupResource, listResult, readPage, resourceResult, scimResult } from '../../scim/resources.ts'
import { scimError } from '../../scim/scim-error.ts'
import { readDocument } from '../../scim/user-document.ts'
import type { Tx } from '../../store/client.ts'
import {
  countScimUsers,
  deleteScimGroupRow,
  insertScimGroup,
  listScimGroupRows,
  requireScimGroup,
  type ScimGroupRow,
  setGroupMembers,
  updateScimGroup,
} from '../../store/directory/scim-groups.ts'
import { type DirectoryCaller, transactWithDirectory } from './scim-users.ts'

/** Largest number of members of a group. */
const maxGroupMembers = 5_000

const groupDocument = z.object({
  displayName: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\0]*$/),
  externalId: z
    .string()
    .max(256)
    .regex(/^[^\0]*$/)
    .nullish()
    .transform((value) => (value === null || value === '' ? undefined : value)),
  members: boundedArray(z.object({ value: z.string().max(64) }), maxGroupMembers)
    .nullish()
    .transform((members) => [...new Set(members?.map(({ value }) => value))]),
})

const groupAttributes: AttributeNames = {
  kept: Object.keys(groupDocument.shape),
  lists: ['members'],
  ignored: new Set(['schemas', 'id', 'meta']),
}

export const listScimGroups: Operation<'listScimGroups'> = async (context, caller, { query }) => {
  const page = readPage(query)
  const options = {
    filter: query.filter === undefined ? undefined : parseFilter(query.filter),
    withMembers: !leavesOut(query, 'members'),
    ...page,
  }
  const { rows, total } = await withInvalidFilter(
    context.database.read(caller, (_db, sql) => listScimGroupRows(sql, caller.workspaceId, options)),
  )
  return listResult(
    rows.map((row) => project(groupResource(context.publicBaseUrl, row), query)),
    { total, startIndex: page.startIndex },
  )
}

export const getScimGroup: Operation<'getScimGroup'> = async (context, caller, input) => {
  const { scim_group_id: id } = input.params
  const withMembers = !leavesOut(input.query, 'members')
  const row = await context.database.read(caller, (_db, sql) =>
    requireScimGroup(sql, caller.workspaceId, id, { withMembers }),
  )
  return resourceResult(200, groupResource(context.publicBaseUrl, row), input.query)
}

export const createScimGroup: Operation<'createScimGroup'> = async (context, caller, { body }) => {
  const document = readGroupDocument(body)
  const row = await transactWithDirectory(context, caller, async (tx) => {
    const id = await insertScimGroup(tx, caller.workspaceId, fieldsOf(document))
    if (id === undefined) throw takenProblem(document)
    await changeMembers(context, tx, caller.workspaceId, id, document)
    return await requireScimGroup(tx.query, caller.workspaceId, id)
  })
  return resourceResult(201, groupResource(context.publicBaseUrl, row))
}

export const replaceScimGroup: Operation<'replaceScimGroup'> = async (context, caller, input) => {
  const row = await changeGroup(context, caller, input, () => readGroupDocument(input.body))
  return resourceResult(200, groupResource(context.publicBaseUrl, row))
}

export const patchScimGroup: Operation<'patchScimGroup'> = async (context, caller, input) => {
  const { version } = await changeGroup(context, caller, input, ({ displayName, externalId, members }) =>
    readGroupDocument(
      applyPatch(
        { displayName, externalId, members: members?.map(({ value }) => ({ value })) ?? [] },
        input.body,
        groupAttributes,
      ),
    ),
  )
  return scimResult(204, undefined, { etag: `"${version}"` })
}

async function changeGroup(
  context: Context,
  caller: DirectoryCaller,
  { params: { scim_group_id: id }, headers }: { params: { scim_group_id: string }; headers: { 'if-match'?: string } },
  change: (row: ScimGroupRow) => GroupDocument,
): Promise<ScimGroupRow> {
  const { workspaceId } = caller
  return await transactWithDirectory(context, caller, async (tx) => {
    const before = await requireScimGroup(tx.query, workspaceId, id)
    requireMatch(headers, before)
    const document = change(before)
    if (!(await updateScimGroup(tx, workspaceId, id, fieldsOf(document)))) throw takenProblem(document)
    await changeMembers(context, tx, workspaceId, id, document, before.displayName !== document.displayName)
    return await requireScimGroup(tx.query, workspaceId, id)
  })
}

/** Deletes a group of the directory. Its members stay, with the roles of their other groups. */
export const deleteScimGroup: Operation<'deleteScimGroup'> = async (
  context,
  caller,
  { params: { scim_group_id: id }, headers },
) => {
  const { workspaceId } = caller
  await transactWithDirectory(context, caller, async (tx) => {
    const group = await requireScimGroup(tx.query, workspaceId, id)
    requireMatch(headers, group)
    await deleteScimGroupRow(tx, workspaceId, id)
    const members = group.members?.map(({ value }) => value) ?? []
    const changed = await assignGroupRoles(context, tx, workspaceId, members)
    tx.audit({ targets: [{ type: 'group', id }], changes: { name: group.displayName, roles_changed: changed } })
  })
  return scimResult(204, undefined)
}

/** Sets the members of a group and gives those who joined or left the roles of their groups. */
async function changeMembers(
  context: Context,
  tx: Tx,
  workspaceId: string,
  id: string,
  { members, displayName }: GroupDocument,
  isRenamed = false,
): Promise<void> {
  if ((await countScimUsers(tx, workspaceId, members)) < members.length)
    throw scimError('invalidValue', 'members must be users of the directory')
  const { added, removed } = await setGroupMembers(tx, workspaceId, id, members)
  const affected = isRenamed ? [...members, ...removed] : [...added, ...removed]
  const changed = await assignGroupRoles(context, tx, workspaceId, affected)
  tx.audit({
    targets: [{ type: 'group', id }],
    changes: {
      name: displayName,
      members_added: added.length,
      members_removed: removed.length,
      roles_changed: changed,
    },
  })
}

const fieldsOf = ({ displayName, externalId }: GroupDocument) => ({ displayName, externalId: externalId ?? null })

const takenProblem = ({ displayName }: GroupDocument) =>
  scimError('uniqueness', `A group with the displayName ${displayName} exists`, 'conflict')

/** The attributes of a group that are kept; its members by the ids of users. */
type GroupDocument = z.output<typeof groupDocument>

/** Reads the attributes of a group from a body or a changed document. @throws Problem with scimType `invalidValue` */
const readGroupDocument = (body: Document): GroupDocument => readDocument(groupDocument, body)
