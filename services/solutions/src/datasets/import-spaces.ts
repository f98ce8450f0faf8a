import { dataInternal, isTimeZone, maxTreeLevels, quotas, type SpaceKind, spaceKinds } from '@wp/contracts'
import { type Query, readQuotaUsage } from '@wp/database'
import { scanNumber } from '@wp/tabular'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import { followSpaces } from '../plans/calendar.ts'
import type { Control } from '../store/client.ts'
import { type Dataset, type UnusedRows, updateDatasetRow } from '../store/datasets.ts'
import {
  findSpaceNodes,
  insertSpace,
  lockTrees,
  type SpaceContent,
  spaceQuota,
  updateSpaceRow,
} from '../store/spaces.ts'
import { buildTree, type TreeNode } from '../workplace/tree.ts'
import { cellsOf, fieldsOf } from './apply-page.ts'
import { readCount, readName } from './read-cells.ts'
import { readOpeningHours } from './read-opening-hours.ts'
import { lockCurrent } from './refresh-requests.ts'

/** A row of a list of spaces. */
export interface ListedSpace {
  externalId: string
  parentExternalId: string | null
  content: Pick<SpaceContent, 'name' | 'kind'> & Partial<SpaceContent>
}

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
    const ids = new Map((await findSpaceNodes(tx.query, workspaceId)).map(({ externalId, id }) => [externalId, id]))
    const { spaces, unusedRows } = readSpaces(dataset, rows, ids)
    await refuseAboveQuota(tx.query, workspaceId, spaces.filter(({ externalId }) => !ids.has(externalId)).length)
    for (const { externalId, parentExternalId, content } of spaces) {
      const parentId = parentExternalId === null ? null : (ids.get(parentExternalId) ?? null)
      const known = ids.get(externalId)
      const columns = { ...content, externalId, parentId }
      if (known !== undefined) await updateSpaceRow(tx.db, workspaceId, known, columns)
      else ids.set(externalId, (await insertSpace(tx.db, workspaceId, { openingHours: null, ...columns })).id)
    }
    const problem = treeProblem(await findSpaceNodes(tx.query, workspaceId))
    if (problem !== undefined) throw failure('conflict', problem)
    const counts = { rowsRead: rows.length, unusedRows, refreshedAt: new Date() }
    await updateDatasetRow(tx.db, workspaceId, dataset.id, counts)
    await requestRecount(tx, workspaceId)
    await followSpaces(tx, workspaceId)
    return { changes: spaces.length }
  })
}

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

/**
 * Reads the rows of a list into spaces, those further out first. Rows that cannot be used are counted by reason.
 *
 * @param known the spaces of the workspace by external id, in which those of the list may lie
 */
export function readSpaces(
  dataset: Pick<Dataset, 'kind' | 'mapping'>,
  rows: readonly (readonly unknown[])[],
  known: ReadonlyMap<string | null, string>,
): { spaces: ListedSpace[]; unusedRows: UnusedRows } {
  const toCells = cellsOf(dataset)
  const unusedRows: UnusedRows = {}
  const refuse = (reason: string, example: unknown) => {
    const counted = unusedRows[reason]
    const text = example === null || example === undefined ? null : String(example).slice(0, 80)
    unusedRows[reason] = { rows: (counted?.rows ?? 0) + 1, example: counted?.example ?? text }
  }
  const listed = new Map<string, ListedSpace>()
  for (const row of rows) {
    const space = readSpace(toCells(row), dataset.mapping)
    if ('reason' in space) refuse(space.reason, space.example)
    else if (listed.has(space.externalId)) refuse('external_id_repeated', space.externalId)
    else listed.set(space.externalId, space)
  }
  const levelOf = (space: ListedSpace): number => {
    let [level, at]: [number, ListedSpace | undefined] = [1, space]
    while (at !== undefined && at.parentExternalId !== null && level <= maxTreeLevels + 1) {
      at = listed.get(at.parentExternalId)
      level++
    }
    return level
  }
  const rank = ({ content }: ListedSpace) => spaceKinds.indexOf(content.kind as SpaceKind) // read from these words alone
  const usable: { space: ListedSpace; level: number }[] = []
  for (const space of listed.values()) {
    const level = levelOf(space)
    const parent = space.parentExternalId === null ? undefined : listed.get(space.parentExternalId)
    if (level > maxTreeLevels) refuse('levels_exceeded', space.externalId)
    else if (space.parentExternalId !== null && parent === undefined && !known.has(space.parentExternalId))
      refuse('parent_unknown', space.parentExternalId)
    else if (parent !== undefined && rank(space) < rank(parent)) refuse('kind_above_parent', space.externalId)
    else usable.push({ space, level })
  }
  const kept = new Set<string>()
  const spaces: ListedSpace[] = []
  for (const { space } of usable.sort((a, b) => a.level - b.level)) {
    // What lies in a refused row is refused with it.
    const parent = space.parentExternalId
    if (parent !== null && !kept.has(parent) && !(known.has(parent) && !listed.has(parent)))
      refuse('parent_unused', space.externalId)
    else {
      kept.add(space.externalId)
      spaces.push(space)
    }
  }
  return { spaces, unusedRows }
}

const kindWords: Readonly<Record<SpaceKind, readonly string[]>> = {
  site: ['site', 'campus', 'location', 'standort', 'liegenschaft'],
  building: ['building', 'gebäude', 'haus', 'bâtiment'],
  floor: ['floor', 'level', 'storey', 'story', 'etage', 'stockwerk', 'geschoss', 'étage'],
  zone: ['zone', 'area', 'neighbourhood', 'neighborhood', 'bereich', 'wing', 'flügel'],
  room: ['room', 'raum', 'zimmer', 'office', 'büro', 'salle', 'meeting room', 'besprechungsraum'],
}

function readSpace(
  cells: Record<string, unknown>,
  mapping: Dataset['mapping'],
): ListedSpace | { reason: string; example: unknown } {
  const [externalId, name] = [readName(cells.external_id), readName(cells.name)]
  if (externalId === undefined) return { reason: 'external_id_missing', example: cells.name }
  if (name === undefined) return { reason: 'name_missing', example: externalId }
  const word = readName(cells.kind)?.toLowerCase()
  const kind = spaceKinds.find((name) => kindWords[name].includes(word ?? ''))
  if (kind === undefined) return { reason: 'kind_unknown', example: cells.kind }
  const capacity = readCount(cells.capacity)
  if (capacity === 'unreadable') return { reason: 'capacity_unreadable', example: cells.capacity }
  const area = readAmount(cells.area_m2)
  if (area === 'unreadable') return { reason: 'area_unreadable', example: cells.area_m2 }
  const cost = readAmount(cells.annual_cost)
  if (cost === 'unreadable') return { reason: 'annual_cost_unreadable', example: cells.annual_cost }
  const share = readAmount(cells.avoidable_share)
  if (share === 'unreadable' || (share !== null && share > 1))
    return { reason: 'avoidable_share_unreadable', example: cells.avoidable_share }
  const timezone = readName(cells.timezone)
  if (timezone !== undefined && !isTimeZone(timezone)) return { reason: 'timezone_unknown', example: timezone }
  const codes = { currency: /^[A-Z]{3}$/, country: /^[A-Z]{2}$/, subdivision: /^[A-Z0-9]{1,3}$/ }
  for (const [role, pattern] of Object.entries(codes)) {
    const code = readName(cells[role])
    if (code !== undefined && !pattern.test(code)) return { reason: `${role}_unknown`, example: code }
  }
  const openingHours = readOpeningHours(cells.opening_hours)
  if (openingHours === 'unreadable') {
    const example = `${externalId}, ${mapping.opening_hours}: ${cells.opening_hours}`
    return { reason: 'opening_hours_unreadable', example }
  }
  const stated = {
    capacity: capacity === 'empty' ? undefined : capacity,
    areaM2: area ?? undefined,
    annualCost: cost === null ? undefined : BigInt(Math.round(cost * minorUnitsOf(readName(cells.currency)))),
    avoidableShare: share ?? undefined,
    timezone,
    currency: readName(cells.currency),
    country: readName(cells.country),
    subdivision: readName(cells.subdivision),
    openingHours: openingHours ?? undefined,
  }
  const columns = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
  return {
    externalId,
    parentExternalId: readName(cells.parent_id) ?? null,
    content: { name: name.slice(0, 200), kind, ...columns },
  }
}

/** Returns the minor units of a currency: a list states costs in whole units, with decimals. Of an unknown one, 100. */
function minorUnitsOf(currency: string | undefined): number {
  if (currency === undefined) return 100
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return 10 ** digits
}

/** Reads a number from 0 to a million millions; null if the cell is empty. */
function readAmount(cell: unknown): number | null | 'unreadable' {
  if (cell === null || cell === undefined || cell === '') return null
  const value =
    typeof cell === 'number' ? cell : Number(typeof cell === 'string' && scanNumber(cell) ? cell : Number.NaN)
  return value >= 0 && value <= maxAmount ? value : 'unreadable'
}
const maxAmount = 1e12
