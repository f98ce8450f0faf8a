import {
  data,
  type InputOf,
  invalidField,
  mappingIssues,
  nearestName,
  type Operation,
  Problem,
  problem,
  type solutions,
  validationProblem,
  type WorkspaceCaller,
} from '@wp/contracts'
import { countQueuedJobs, enforceQuota, mergeMetadata, newId, type Query } from '@wp/database'
import { cancelQueuedJobs, enqueue, getJob } from '@wp/jobs'
import { requireScope } from '@wp/service'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Context } from '../context.ts'
import { refreshQueue, requestRefresh } from '../datasets/refresh-requests.ts'
import { datasetView, refreshView } from '../datasets/views.ts'
import {
  type Dataset,
  datasetQuota,
  deleteDatasetRow,
  findDataset,
  findDatasets,
  findValues,
  insertDataset,
  lockDataset,
  updateDatasetRow,
} from '../store/datasets.ts'
import { deleteFactsOf, findFactRange } from '../store/facts.ts'
import { findReaderGaps } from '../store/reader-gaps.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findMissingTeams, findTeamNodes } from '../store/teams.ts'
import { createMatcher, createSuggester } from '../workplace/match-values.ts'
import { requireSpaces } from './spaces.ts'

export const refreshQuota = countQueuedJobs('dataset_refresh', refreshQueue)

export const listDatasets: Operation<typeof solutions.listDatasets, Context> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { items, nextCursor } = await findDatasets(db, caller.workspaceId, query)
    const views = []
    for (const item of items) views.push(await viewOf(sql, item))
    return { items: views, nextCursor }
  })

export const getDataset: Operation<typeof solutions.getDataset, Context> = ({ database }, caller, { params }) =>
  database.read(caller, async (db, sql) => {
    const row = await findDataset(db, caller.workspaceId, params.id)
    if (row === null) throw problem('not_found')
    return viewOf(sql, row)
  })

/** Stores the meaning of the columns of a source, and has it read. */
export const createDataset: Operation<typeof solutions.createDataset, Context> = async (context, caller, { body }) => {
  await checkColumns(context, caller, body.data_source_id, body.mapping)
  return context.database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await checkMaps(tx.query, workspaceId, body)
    const row = await insertDataset(tx.db, workspaceId, {
      ...{ name: body.name, kind: body.kind, dataSourceId: body.data_source_id, mapping: body.mapping },
      ...{ spaceMap: body.space_map, teamMap: body.team_map, timezone: body.timezone },
      ...{ metadata: body.metadata, externalId: body.external_id },
    })
    await enforceQuota(tx.query, workspaceId, datasetQuota)
    await requestRefresh(tx, { datasetId: row.id, dataSourceId: row.dataSourceId })
    return viewOf(tx.query, row)
  })
}

export const updateDataset: Operation<typeof solutions.updateDataset, Context> = async (
  context,
  caller,
  { params, body },
) => {
  const { workspaceId } = caller
  const before = await context.database.read(caller, (db) => findDataset(db, workspaceId, params.id))
  if (before === null) throw problem('not_found')
  if (body.mapping !== undefined) {
    const issues = mappingIssues(before.kind, body.mapping)
    if (issues.length > 0)
      throw validationProblem(
        issues.map(({ path, message }) => ({ pointer: `/mapping/${path.join('/')}`, detail: message })),
      )
    await checkColumns(context, caller, before.dataSourceId, body.mapping)
  }
  return context.database.transact(caller, async (tx) => {
    if (!(await lockDataset(tx.query, workspaceId, params.id))) throw problem('not_found')
    const current = await findDataset(tx.db, workspaceId, params.id)
    if (current === null) throw problem('not_found')
    await checkMaps(tx.query, workspaceId, body)
    const maps = {
      ...(body.space_map === undefined ? {} : { spaceMap: { ...current.spaceMap, ...body.space_map } }),
      ...(body.team_map === undefined ? {} : { teamMap: { ...current.teamMap, ...body.team_map } }),
      ...(body.timezone === undefined ? {} : { timezone: body.timezone }),
    }
    // The local day of an instant depends on the zone of its space, so its rows are read again.
    const mustRead = body.mapping !== undefined || (current.hasInstants && Object.keys(maps).length > 0)
    await updateDatasetRow(tx.db, workspaceId, params.id, {
      ...maps,
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.mapping === undefined ? {} : { mapping: body.mapping }),
      ...(body.metadata === undefined ? {} : { metadata: mergeMetadata(current.metadata, body.metadata) }),
      ...(body.external_id === undefined ? {} : { externalId: body.external_id }),
      ...(mustRead ? { feedGeneration: null } : {}),
      updatedAt: new Date(),
    })
    if (mustRead || current.kind === 'spaces')
      await requestRefresh(tx, { datasetId: params.id, dataSourceId: current.dataSourceId })
    else if (Object.keys(maps).length > 0) await requestRecount(tx, workspaceId)
    const row = await findDataset(tx.db, workspaceId, params.id)
    if (row === null) throw problem('not_found')
    return viewOf(tx.query, row)
  })
}

export const deleteDataset: Operation<typeof solutions.deleteDataset, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    // A refresh takes the same locks in this order.
    if (!(await lockDataset(tx.query, workspaceId, params.id))) throw problem('not_found')
    // The range of all days must be marked while the facts are there.
    await requestRecount(tx, workspaceId)
    const row = await findDataset(tx.db, workspaceId, params.id)
    if (row === null) throw problem('not_found')
    await deleteDatasetRow(tx.db, workspaceId, params.id)
    await deleteFactsOf(tx.query, workspaceId, params.id)
    await cancelQueuedJobs(tx, { queue: refreshQueue, exclusive: params.id })
    // It finds no dataset, and closes the feed.
    await requestRefresh(tx, { datasetId: params.id, dataSourceId: row.dataSourceId })
    return { id: params.id }
  })

export const listDatasetValues: Operation<typeof solutions.listDatasetValues, Context> = (
  { database },
  { workspaceId },
  { params, query: { limit, cursor, role, mapped } },
) =>
  database.read({ workspaceId }, async (db, sql) => {
    const dataset = await findDataset(db, workspaceId, params.id)
    if (dataset === null) throw problem('not_found')
    const { matchers, candidates } = await readMatchers(sql, dataset)
    const suggest = { space: createSuggester(candidates.space), team: createSuggester(candidates.team) }
    const rows = (await findValues(sql, workspaceId, params.id))
      .map((row) => ({ ...row, role: row.role as 'space' | 'team' })) // written by this service from these words alone
      .filter((row) => role === undefined || row.role === role)
      .map((row) => ({ row, match: matchers[row.role](row.value) }))
      .filter(({ match }) => mapped === undefined || mapped === (match.matchedBy !== 'none'))
    const start = cursor === undefined ? 0 : readOffset(cursor)
    const items = rows.slice(start, start + limit).map(({ row, match }) => ({
      ...{ role: row.role, value: row.value, rows: row.rows, mapped_to: match.id, matched_by: match.matchedBy },
      suggestions: match.matchedBy === 'none' ? suggest[row.role](row.value) : [],
    }))
    return { items, nextCursor: start + limit < rows.length ? `o${start + limit}` : null }
  })

function readOffset(cursor: string): number {
  const offset = Number(/^o(\d{1,6})$/.exec(cursor)?.[1])
  if (Number.isNaN(offset))
    throw new Problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return offset
}

export const refreshDataset: Operation<typeof solutions.refreshDataset, Context> = (
  { database },
  caller,
  { params, body },
) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    if (!(await lockDataset(tx.query, workspaceId, params.id))) throw problem('not_found')
    const dataset = await findDataset(tx.db, workspaceId, params.id)
    if (dataset === null) throw problem('not_found')
    if (body.full) await updateDatasetRow(tx.db, workspaceId, params.id, { feedGeneration: null })
    const conflict = problem('conflict', { detail: 'A refresh of the dataset is under way.' })
    const job = await enqueue(tx, {
      ...{ id: newId('dsr'), queue: refreshQueue, subject: params.id, exclusive: params.id, conflict },
      input: { datasetId: params.id, dataSourceId: dataset.dataSourceId },
    })
    await enforceQuota(tx.query, workspaceId, refreshQuota)
    return refreshView(job)
  })

export const getDatasetRefresh: Operation<typeof solutions.getDatasetRefresh, Context> = async (
  { database },
  { workspaceId },
  { params },
) => {
  const job = await database.read({ workspaceId }, (_db, sql) =>
    getJob(sql, { workspaceId, queue: refreshQueue, id: params.id }),
  )
  if (job === null) throw problem('not_found')
  return refreshView(job)
}

async function readMatchers(query: Query, dataset: Dataset) {
  const [spaces, teams] = [
    await findSpaceNodes(query, dataset.workspaceId),
    await findTeamNodes(query, dataset.workspaceId),
  ]
  return {
    candidates: { space: spaces, team: teams },
    matchers: { space: createMatcher(spaces, dataset.spaceMap), team: createMatcher(teams, dataset.teamMap) },
  }
}

async function viewOf(query: Query, dataset: Dataset) {
  const { workspaceId, id } = dataset
  const { matchers } = await readMatchers(query, dataset)
  const values = await findValues(query, workspaceId, id)
  const unmapped = (['space', 'team'] as const).flatMap((role) => {
    const own = values.filter((row) => row.role === role)
    return (['none', 'left_out'] as const).flatMap((matchedBy) => {
      const rows = own.filter(({ value }) => matchers[role](value).matchedBy === matchedBy)
      const [first] = rows
      if (first === undefined) return []
      const reason = `${role}_${matchedBy === 'none' ? 'unmapped' : 'left_out'}`
      return [{ reason, rows: rows.reduce((sum, row) => sum + row.rows, 0), example: first.value }]
    })
  })
  const gaps = (await findReaderGaps(query, workspaceId, id)).map(({ value, since, until, expectedRows }) => ({
    ...{ value, space_id: matchers.space(value).id, since, until, expected_rows: expectedRows },
  }))
  // A team that is not known does not make a row of a swipe useless.
  const unused = unmapped.filter(({ reason }) => dataset.kind === 'people' || reason.startsWith('space'))
  return datasetView(dataset, { range: await findFactRange(query, workspaceId, id), unmapped: unused, gaps })
}

/** @throws Problem `validation_failed` for each column that the source does not have */
async function checkColumns(
  { internal }: Context,
  caller: WorkspaceCaller,
  sourceId: string,
  mapping: Record<string, string>,
): Promise<void> {
  requireScope(caller, 'data:read', 'A dataset of a data source')
  const source = await internal
    .call(data.getSource, caller, { params: { data_source_id: sourceId }, query: {}, body: undefined })
    .catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found')
        throw invalidField('/data_source_id', 'is not a data source of this workspace', 'unknown_reference')
      throw error
    })
  const columns = source.schema.filter(({ inferred }) => inferred !== null).map(({ name }) => name)
  if (columns.length === 0)
    throw invalidField('/data_source_id', 'has no records yet: upload records, or wait for the end of its first sync')
  const { pseudonymize = [] } = source.config as { pseudonymize?: string[] } // every config may have it
  for (const role of ['space', 'team'])
    if (mapping[role] !== undefined && (mapping[role] === mapping.person || pseudonymize.includes(mapping[role])))
      throw invalidField(`/mapping/${role}`, 'must not be a column of people: its values are listed')
  const errors = Object.entries(mapping)
    .filter(([, column]) => !columns.includes(column))
    .map(([role, column]) => {
      const nearest = nearestName(column, columns)
      const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
      return { pointer: `/mapping/${role}`, detail: `"${column}" is not a column of the data source${hint}` }
    })
  if (errors.length > 0) throw validationProblem(errors)
}

type Maps = Pick<InputOf<typeof solutions.updateDataset>['body'], 'space_map' | 'team_map'>

async function checkMaps(query: Query, workspaceId: string, { space_map = {}, team_map = {} }: Maps): Promise<void> {
  const spaces = Object.entries(space_map).flatMap(([value, id]) =>
    id === null ? [] : [{ pointer: `/space_map/${pointerOf(value)}`, id }],
  )
  await requireSpaces(query, workspaceId, spaces)
  const teams = Object.entries(team_map).flatMap(([value, id]) => (id === null ? [] : [{ value, id }]))
  const [missing] = await findMissingTeams(
    query,
    workspaceId,
    teams.map(({ id }) => id),
  )
  if (missing === undefined) return
  const value = teams.find(({ id }) => id === missing)?.value ?? ''
  throw invalidField(`/team_map/${pointerOf(value)}`, 'is not a team of this workspace', 'unknown_reference')
}

/** Escapes a member of a JSON pointer (RFC 6901). */
const pointerOf = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1')
