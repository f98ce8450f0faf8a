import { isDeepStrictEqual } from 'node:util'
import { dataInternal, maxTreeLevels, quotas, zoneOfCountry } from '@wp/contracts'
import { type Query, readQuotaUsage } from '@wp/database'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import { followSpaces } from '../plans/calendar.ts'
import type { Control } from '../store/client.ts'
import { type Dataset, type UnusedRows, updateDatasetRow } from '../store/datasets.ts'
import {
  changeSpaceRow,
  findAllSpaces,
  findSpaceNodes,
  insertSpace,
  lockTrees,
  type SpaceNode,
  spaceQuota,
} from '../store/spaces.ts'
import { keepMatches } from '../workplace/keep-matches.ts'
import { buildTree, listNames, type TreeNode } from '../workplace/tree.ts'
import { fieldsOf } from './apply-page.ts'
import { readSpaces } from './read-spaces.ts'
import { lockCurrent, requestRereading } from './refresh-requests.ts'
import type { ListedSpace } from './space-paths.ts'

/**
 * Reads all rows of a list of spaces, and creates or changes the spaces that it names, in one transaction.
 * @throws JobFailure if the list has too many rows or creates more spaces than fit in the quota, or makes no tree
 */
export async function importSpaces(context: Context, dataset: Dataset, control: Control): Promise<void> {
  const { workspaceId } = dataset
  const rows = await readAllRows(context, dataset, control)
  await control.finish(async (tx) => {
    await lockTrees(tx, workspaceId)
    await lockCurrent(tx, dataset)
    const nodes = await findSpaceNodes(tx.query, workspaceId)
    const ids = new Map(nodes.map(({ externalId, id }) => [externalId, id]))
    const { spaces, unusedRows } = readSpaces(dataset, rows, ids, nodes)
    Object.assign(unusedRows, countBesideMissing(spaces, nodes))
    const isNew = ({ externalId, id }: ListedSpace) => !ids.has(externalId) && id === undefined
    await refuseAboveQuota(tx.query, workspaceId, spaces.filter(isNew).length)
    const stored = await findAllSpaces(tx.db, workspaceId)
    let changes = 0
    for (const { id, externalId, parentExternalId, content } of spaces) {
      const known = ids.get(externalId) ?? id
      const parentId = parentExternalId ? (ids.get(parentExternalId) ?? null) : null
      const row = known === undefined ? undefined : stored.get(known)
      if (known === undefined || row === undefined) {
        const ofPlace = zoneOfCountry.get(content.country ?? '') ?? dataset.timezone
        const timezone = content.timezone ?? (parentId === null ? ofPlace : null)
        const columns = { openingHours: null, ...content, timezone, externalId, parentId }
        ids.set(externalId, (await insertSpace(tx.db, workspaceId, columns)).id)
        changes++
      } else {
        const place = parentExternalId === undefined ? {} : { parentId }
        if (await changeSpaceRow(tx.db, row, { ...content, externalId, ...place })) changes++
        ids.set(externalId, known)
      }
    }
    const after = await findSpaceNodes(tx.query, workspaceId)
    const problem = treeProblem(after)
    if (problem !== undefined) throw failure('conflict', problem)
    await keepMatches(tx, workspaceId, 'space', { before: nodes, after })
    const counts = { rowsRead: rows.length, unusedRows, refreshedAt: new Date() }
    await updateDatasetRow(tx.db, workspaceId, dataset.id, counts)
    if (!isDeepStrictEqual(nodes.map(placeOf), after.map(placeOf))) await requestRereading(tx, workspaceId)
    await requestRecount(tx, workspaceId)
    await followSpaces(tx, workspaceId)
    return { changes }
  })
}

/** Reason of new spaces that may be known ones under another name. */
export const besideMissing = 'new_beside_missing'

/**
 * Counts the new spaces of a list beside which it lacks a known one of their kind, although it names others there: a
 * space that was renamed would be there twice, with its places and costs.
 */
export function countBesideMissing(spaces: readonly ListedSpace[], nodes: readonly SpaceNode[]): UnusedRows {
  const known = new Map(nodes.map((node) => [node.externalId, node]))
  const nodeOf = ({ externalId, id }: ListedSpace) => known.get(externalId) ?? nodes.find((node) => node.id === id)
  const idOf = new Map(spaces.map((space) => [space.externalId, nodeOf(space)?.id]))
  const listed = new Set(idOf.values())
  const found = spaces.flatMap((space) => {
    const parent = space.parentExternalId
    const parentId = parent == null ? null : (idOf.get(parent) ?? known.get(parent)?.id)
    if (nodeOf(space) !== undefined || parentId === undefined) return []
    const beside = nodes.filter((node) => node.parentId === parentId && node.kind === space.content.kind)
    const missing = beside.filter(({ id }) => !listed.has(id)).map(({ name }) => name)
    return missing.length === 0 || missing.length === beside.length
      ? []
      : [`${space.content.name}: the list lacks ${listNames(missing)}`]
  })
  return found[0] === undefined ? {} : { [besideMissing]: { rows: found.length, example: found[0].slice(0, 200) } }
}

/** The fields that the time zone of a value depends on. */
const placeOf = ({ id, externalId, name, parentId, timezone }: SpaceNode) => [id, externalId, name, parentId, timezone]

/** The lock of the trees, which each creation of a space takes too, keeps the use as it is read. */
async function refuseAboveQuota(query: Query, workspaceId: string, added: number): Promise<void> {
  const { limit, current } = await readUse(query, workspaceId)
  if (added > 0 && current + added > limit)
    throw failure(
      'quota_exceeded',
      `The list has ${added} new spaces. The workspace has ${current} spaces, of at most ${limit}.`,
    )
}

async function readUse(query: Query, workspaceId: string): Promise<{ limit: number; current: number }> {
  const [use] = await readQuotaUsage(query, workspaceId, [spaceQuota])
  if (use === undefined) throw new Error('the quota of spaces has no use')
  return use
}

/** Checks the tree that a list makes with the spaces that it does not name. @returns a message, if it is none */
export function treeProblem(nodes: readonly (TreeNode & { name: string })[]): string | undefined {
  const tree = buildTree(nodes)
  const lost = nodes.find(({ id }) => !tree.positions.has(id))
  if (lost !== undefined) return `With this list, "${lost.name}" would lie within itself.`
  const levels = new Int32Array(tree.nodes.length)
  for (const [at, parent] of tree.parents.entries()) levels[at] = (levels[parent] ?? 0) + 1
  const deepest = tree.nodes[levels.findIndex((level) => level > maxTreeLevels)]
  return deepest && `With this list, "${deepest.name}" would lie below level ${maxTreeLevels}.`
}

async function readAllRows({ internal, database }: Context, dataset: Dataset, control: Control): Promise<unknown[][]> {
  const { workspaceId } = dataset
  const { limit } = await database.read({ workspaceId }, (_db, query) => readUse(query, workspaceId))
  // Of a lower limit, rows that change spaces or cannot be used may be more.
  const maxRows = Math.max(limit, quotas.spaces.limit)
  const rows: unknown[][] = []
  const fields = fieldsOf(dataset).map(encodeURIComponent).join(',')
  for (let after: string | null | undefined; after !== null; ) {
    control.signal.throwIfAborted()
    const page = await internal.callDelegated(
      'dataset_refresh',
      dataInternal.readRows,
      { workspaceId },
      {
        params: { data_source_id: dataset.dataSourceId },
        query: { fields, ...(after === undefined ? {} : { after }) },
        body: undefined,
      },
    )
    rows.push(...page.rows)
    if (rows.length > maxRows) throw failure('too_many_rows', `A list of spaces has at most ${maxRows} rows.`)
    after = page.after
  }
  return rows
}
