import { type InputOf, invalidField, problem, type solutions } from '@wp/contracts'
import { definedFields, enforceQuota, mergeMetadata, type Query } from '@wp/database'
import { requestRecount } from '../attendance/request-recount.ts'
import { found, type Operation } from '../context.ts'
import type { Db } from '../store/client.ts'
import { lockTrees } from '../store/spaces.ts'
import {
  countTeamsWithin,
  deleteTeamRow,
  findMissingTeams,
  findTeam,
  findTeamByExternalId,
  findTeamNodes,
  findTeams,
  findUsualSpaces,
  insertTeam,
  type TeamContent,
  teamQuota,
  updateTeamRow,
} from '../store/teams.ts'
import { checkParent } from '../workplace/check-tree.ts'
import { keepMatches } from '../workplace/keep-matches.ts'
import { buildTree } from '../workplace/tree.ts'
import { teamView } from '../workplace/views.ts'
import { nameFields, refuseDuplicate, requireSpaces } from './spaces.ts'

export const listTeams: Operation<'listTeams'> = async ({ database }, caller, { query }) => {
  const { workspaceId } = caller
  return database.read(caller, async (db, sql) => {
    const { items, nextCursor } = await findTeams(db, sql, workspaceId, query)
    const ids = items.map(({ id }) => id)
    const usualSpaces = await findUsualSpaces(sql, workspaceId, ids)
    return { items: items.map((team) => teamView(team, usualSpaces)), nextCursor }
  })
}

export const getTeam: Operation<'getTeam'> = ({ database }, caller, { params }) =>
  database.read(caller, (db, query) => readView(db, query, caller.workspaceId, params.id))

export const createTeam: Operation<'createTeam'> = ({ database }, caller, { body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    const tree = buildTree(await findTeamNodes(tx.query, workspaceId))
    checkParent(tree, { id: null, parentId: body.parent_id }, 'team')
    await checkReferences(tx.query, workspaceId, body)
    await refuseDuplicate('team', findTeamByExternalId, tx.db, workspaceId, body.external_id)
    const row = await insertTeam(tx.db, workspaceId, { ...contentOf(body), metadata: body.metadata } as TeamContent) // a new team states every field
    await enforceQuota(tx.query, workspaceId, teamQuota)
    await requestRecount(tx, workspaceId)
    return teamView(row)
  })

export const updateTeam: Operation<'updateTeam'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    const before = found(await findTeam(tx.db, workspaceId, params.id))
    const tree = buildTree(await findTeamNodes(tx.query, workspaceId))
    if (body.parent_id !== undefined) checkParent(tree, { id: params.id, parentId: body.parent_id }, 'team')
    await checkReferences(tx.query, workspaceId, body)
    await refuseDuplicate('team', findTeamByExternalId, tx.db, workspaceId, body.external_id, params.id)
    const metadata = mergeMetadata(before.metadata as Record<string, string>, body.metadata)
    await updateTeamRow(tx.db, workspaceId, params.id, { ...contentOf(body), ...definedFields({ metadata }) })
    const isCounted = countedFields.some((field) => body[field] !== undefined)
    if (nameFields.some((field) => body[field] !== undefined))
      await keepMatches(tx, workspaceId, 'team', {
        before: tree.nodes,
        after: await findTeamNodes(tx.query, workspaceId),
      })
    if (isCounted) await requestRecount(tx, workspaceId)
    return readView(tx.db, tx.query, workspaceId, params.id)
  })

export const deleteTeam: Operation<'deleteTeam'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    if ((await countTeamsWithin(tx.db, workspaceId, params.id)) > 0)
      throw problem('conflict', { detail: 'The team has teams in it. Move or delete them first.' })
    if (!(await deleteTeamRow(tx.db, workspaceId, params.id))) throw problem('not_found')
    await requestRecount(tx, workspaceId)
    return { id: params.id }
  })

/** The fields that the figures of a day depend on. */
const countedFields = [...nameFields, 'headcount', 'home_space_id'] as const

type Body = InputOf<typeof solutions.updateTeam>['body'] | InputOf<typeof solutions.createTeam>['body']

/** Returns the columns that the body states. */
function contentOf(body: Body): Partial<TeamContent> {
  return definedFields({
    externalId: body.external_id,
    name: body.name,
    parentId: body.parent_id,
    headcount: body.headcount,
    homeSpaceId: body.home_space_id,
    near: body.near,
    fixedSpaceIds: body.fixed_space_ids,
    excludedSpaceIds: body.excluded_space_ids,
    maxFloors: body.max_floors,
    contingency: body.contingency,
  })
}

async function checkReferences(query: Query, workspaceId: string, body: Body): Promise<void> {
  const { home_space_id: home, fixed_space_ids: fixed = [], excluded_space_ids: excluded = [], near = [] } = body
  await requireSpaces(query, workspaceId, [
    ...(home ? [{ pointer: '/home_space_id', id: home }] : []),
    ...fixed.map((id, position) => ({ pointer: `/fixed_space_ids/${position}`, id })),
    ...excluded.map((id, position) => ({ pointer: `/excluded_space_ids/${position}`, id })),
  ])
  const both = excluded.findIndex((id) => fixed.includes(id))
  if (both >= 0) throw invalidField(`/excluded_space_ids/${both}`, 'is also one of fixed_space_ids')
  const [missing] = await findMissingTeams(query, workspaceId, near)
  if (missing !== undefined)
    throw invalidField(`/near/${near.indexOf(missing)}`, 'is not a team of this workspace', 'unknown_reference')
}

async function readView(db: Db, query: Query, workspaceId: string, id: string) {
  return teamView(found(await findTeam(db, workspaceId, id)), await findUsualSpaces(query, workspaceId, [id]))
}
