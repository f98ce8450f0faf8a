import { type InputOf, invalidField, problem, type SpaceKind, type solutions } from '@wp/contracts'
import { definedFields, enforceQuota, mergeMetadata, type Query } from '@wp/database'
import { requestRecount } from '../attendance/request-recount.ts'
import { found, type Operation } from '../context.ts'
import { requestRereading } from '../datasets/refresh-requests.ts'
import { deletePlanScheduleOf, followSpaces } from '../plans/calendar.ts'
import type { Db } from '../store/client.ts'
import {
  countSpacesWithin,
  deleteSpaceRow,
  findSpace,
  findSpaceByExternalId,
  findSpaceNodes,
  findSpaces,
  findSpacesAbove,
  findSpacesWithin,
  insertSpace,
  lockTrees,
  type Space,
  type SpaceContent,
  type SpaceNode,
  spaceQuota,
  updateSpaceRow,
} from '../store/spaces.ts'
import { capacitiesOf } from '../workplace/capacities.ts'
import { checkKind, checkParent } from '../workplace/check-tree.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { keepMatches } from '../workplace/keep-matches.ts'
import { buildTree, pathOf, type Tree } from '../workplace/tree.ts'
import { spaceView } from '../workplace/views.ts'

export const listSpaces: Operation<'listSpaces'> = ({ database }, { workspaceId }, { query }) =>
  database.read({ workspaceId }, async (db, sql) => {
    const { items, nextCursor } = await findSpaces(db, workspaceId, query)
    return { items: await viewsOf(sql, workspaceId, items), nextCursor }
  })

export const getSpace: Operation<'getSpace'> = ({ database }, { workspaceId }, { params }) =>
  database.read({ workspaceId }, async (db, sql) => readView(db, sql, workspaceId, params.id))

export const createSpace: Operation<'createSpace'> = ({ database }, caller, { body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    const tree = buildTree(await findSpaceNodes(tx.query, workspaceId))
    const place = { id: null, parentId: body.parent_id }
    checkParent(tree, place, 'space')
    checkKind(tree, place, body.kind)
    await refuseDuplicate('space', findSpaceByExternalId, tx.db, workspaceId, body.external_id)
    const row = await insertSpace(tx.db, workspaceId, { ...contentOf(body), metadata: body.metadata } as SpaceContent) // a new space states every field
    await enforceQuota(tx.query, workspaceId, spaceQuota)
    await requestRereading(tx, workspaceId)
    await requestRecount(tx, workspaceId)
    return readView(tx.db, tx.query, workspaceId, row.id)
  })

export const updateSpace: Operation<'updateSpace'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    const before = found(await findSpace(tx.db, workspaceId, params.id))
    const tree = buildTree(await findSpaceNodes(tx.query, workspaceId))
    const place = { id: params.id, parentId: body.parent_id === undefined ? before.parentId : body.parent_id }
    if (body.parent_id !== undefined) checkParent(tree, place, 'space')
    checkKind(tree, place, body.kind ?? (before.kind as SpaceKind)) // written by this service from these words alone
    await refuseDuplicate('space', findSpaceByExternalId, tx.db, workspaceId, body.external_id, params.id)
    const metadata = mergeMetadata(before.metadata as Record<string, string>, body.metadata)
    await updateSpaceRow(tx.db, workspaceId, params.id, { ...contentOf(body), ...definedFields({ metadata }) })
    const isCounted = countedFields.some((field) => body[field] !== undefined)
    if (nameFields.some((field) => body[field] !== undefined))
      await keepMatches(tx, workspaceId, 'space', {
        before: tree.nodes,
        after: await findSpaceNodes(tx.query, workspaceId),
      })
    if (zoneFields.some((field) => body[field] !== undefined)) await requestRereading(tx, workspaceId)
    if (isCounted) await requestRecount(tx, workspaceId)
    if (calendarFields.some((field) => body[field] !== undefined)) await followSpaces(tx, workspaceId)
    return readView(tx.db, tx.query, workspaceId, params.id)
  })

export const deleteSpace: Operation<'deleteSpace'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    if ((await countSpacesWithin(tx.db, workspaceId, params.id)) > 0)
      throw problem('conflict', { detail: 'The space has spaces in it. Move or delete them first.' })
    if (!(await deleteSpaceRow(tx.db, workspaceId, params.id))) throw problem('not_found')
    await deletePlanScheduleOf(tx, workspaceId, params.id)
    await requestRereading(tx, workspaceId)
    await requestRecount(tx, workspaceId)
    return { id: params.id }
  })

/** The fields that values of files are matched with. */
export const nameFields = ['external_id', 'name', 'parent_id'] as const

/** The fields that the time zone of a value depends on. */
const zoneFields = [...nameFields, 'timezone'] as const

/** The fields that the figures of a day depend on. */
const countedFields = [
  ...zoneFields,
  // Where counters of the spaces in a space count it too depends on these.
  ...(['kind', 'capacity', 'opening_hours'] as const),
] as const

/** The fields that the time of a daily plan depends on. */
const calendarFields = ['parent_id', 'timezone', 'opening_hours'] as const

type Body = InputOf<typeof solutions.updateSpace>['body'] | InputOf<typeof solutions.createSpace>['body']

/** Returns the columns that the body states. */
function contentOf(body: Body): Partial<SpaceContent> {
  const cost = body.annual_cost
  return definedFields({
    externalId: body.external_id,
    name: body.name,
    kind: body.kind,
    parentId: body.parent_id,
    capacity: body.capacity,
    areaM2: body.area_m2,
    annualCost: cost === undefined ? undefined : cost === null ? null : BigInt(cost.amount),
    currency: cost === undefined ? undefined : (cost?.currency ?? null),
    avoidableShare: body.avoidable_share,
    country: body.country,
    subdivision: body.subdivision,
    timezone: body.timezone,
    openingHours: body.opening_hours,
  })
}

/** @throws Problem `conflict` if another space or team than the own one has the identifier of the caller */
export async function refuseDuplicate(
  kind: 'space' | 'team',
  find: (db: Db, workspaceId: string, externalId: string) => Promise<{ id: string } | null>,
  db: Db,
  workspaceId: string,
  externalId: string | null | undefined,
  own?: string,
): Promise<void> {
  if (externalId === null || externalId === undefined) return
  const other = await find(db, workspaceId, externalId)
  if (other !== null && other.id !== own)
    throw problem('conflict', {
      detail: `The ${kind} ${other.id} has this external_id.`,
      errors: [{ pointer: '/external_id', detail: `is that of another ${kind}` }],
    })
}

async function readView(db: Db, query: Query, workspaceId: string, id: string) {
  const [view = null] = await viewsOf(query, workspaceId, [found(await findSpace(db, workspaceId, id))])
  return found(view)
}

async function viewsOf(query: Query, workspaceId: string, rows: readonly Space[]) {
  const ids = rows.map(({ id }) => id)
  const tree = buildTree(await findSpacesAbove(query, workspaceId, ids))
  const inside = buildTree(await findSpacesWithin(query, workspaceId, ids))
  const capacities = capacitiesOf(inside)
  return rows.map((row) => {
    const path = pathOf(tree, row.id)
    const capacity = capacities[inside.positions.get(row.id) ?? -1] ?? null
    return spaceView(row, { ...effectiveValues(path), capacity }, path.slice(1).reverse())
  })
}

/**
 * Returns spaces with those around them.
 * @throws Problem `validation_failed` if one of them does not exist
 */
export async function requireSpaces(
  query: Query,
  workspaceId: string,
  references: readonly { pointer: string; id: string }[],
): Promise<Tree<SpaceNode>> {
  const ids = references.map(({ id }) => id)
  const spaces = buildTree(ids.length === 0 ? [] : await findSpacesAbove(query, workspaceId, ids))
  const missing = references.find(({ id }) => !spaces.positions.has(id))
  if (missing !== undefined)
    throw invalidField(missing.pointer, 'is not a space of this workspace', 'unknown_reference')
  return spaces
}
