import { invalidField, mappingIssues, maxRowFeeds, problem, validationProblem } from '@wp/contracts'
import { countQueuedJobs, definedFields, enforceQuota, mergeMetadata, newId } from '@wp/database'
import { cancelQueuedJobs, enqueue, getJob } from '@wp/jobs'
import { requestRecount } from '../../attendance/request-recount.ts'
import { found, type Operation } from '../../context.ts'
import { readDatasetView } from '../../datasets/read-dataset.ts'
import { eraseDataset, requestRefresh } from '../../datasets/refresh-requests.ts'
import { refreshView } from '../../datasets/views.ts'
import {
  datasetQuota,
  findDataset,
  findDatasets,
  findDatasetsOfSource,
  insertDataset,
  lockDataset,
  lockSource,
  refreshQueue,
  updateDatasetRow,
} from '../../store/datasets.ts'
import { checkColumns, checkMaps } from './check-dataset.ts'

export const refreshQuota = countQueuedJobs('dataset_refresh', refreshQueue)

export const listDatasets: Operation<'listDatasets'> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { items, nextCursor } = await findDatasets(db, caller.workspaceId, query)
    const views = []
    for (const item of items) views.push(await readDatasetView(sql, item))
    return { items: views, nextCursor }
  })

export const getDataset: Operation<'getDataset'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db, sql) => {
    return readDatasetView(sql, found(await findDataset(db, caller.workspaceId, params.id)))
  })

/** Stores the meaning of the columns of a source, and has it read. */
export const createDataset: Operation<'createDataset'> = async (context, caller, { body }) => {
  await checkColumns(context, caller, body.data_source_id, body.mapping)
  return context.database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await checkMaps(tx.query, workspaceId, body)
    await lockSource(tx.query, workspaceId, body.data_source_id)
    if ((await findDatasetsOfSource(tx.query, workspaceId, body.data_source_id)).length >= maxRowFeeds)
      throw invalidField('/data_source_id', `has ${maxRowFeeds} datasets already: change or delete one of these first`)
    const row = await insertDataset(tx.db, workspaceId, {
      name: body.name,
      kind: body.kind,
      dataSourceId: body.data_source_id,
      mapping: body.mapping,
      spaceMap: body.space_map,
      teamMap: body.team_map,
      timezone: body.timezone,
      metadata: body.metadata,
      externalId: body.external_id,
    })
    await enforceQuota(tx.query, workspaceId, datasetQuota)
    await requestRefresh(tx, { datasetId: row.id, dataSourceId: row.dataSourceId })
    return readDatasetView(tx.query, row)
  })
}

export const updateDataset: Operation<'updateDataset'> = async (context, caller, { params, body }) => {
  const { workspaceId } = caller
  const before = found(await context.database.read(caller, (db) => findDataset(db, workspaceId, params.id)))
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
    const current = found(await findDataset(tx.db, workspaceId, params.id))
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
      ...definedFields({ name: body.name, mapping: body.mapping, externalId: body.external_id }),
      ...definedFields({ metadata: mergeMetadata(current.metadata, body.metadata) }),
      ...(mustRead ? { feedGeneration: null } : {}),
      updatedAt: new Date(),
    })
    if (mustRead || current.kind === 'spaces')
      await requestRefresh(tx, { datasetId: params.id, dataSourceId: current.dataSourceId })
    else if (Object.keys(maps).length > 0) await requestRecount(tx, workspaceId)
    return readDatasetView(tx.query, found(await findDataset(tx.db, workspaceId, params.id)))
  })
}

export const deleteDataset: Operation<'deleteDataset'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    const row = found(await findDataset(tx.db, workspaceId, params.id))
    if (!(await eraseDataset(tx, workspaceId, params.id))) throw problem('not_found')
    await cancelQueuedJobs(tx, { queue: refreshQueue, exclusive: params.id })
    // It finds no dataset, and closes the feed.
    await requestRefresh(tx, { datasetId: params.id, dataSourceId: row.dataSourceId })
    return { id: params.id }
  })

export const refreshDataset: Operation<'refreshDataset'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    if (!(await lockDataset(tx.query, workspaceId, params.id))) throw problem('not_found')
    const dataset = found(await findDataset(tx.db, workspaceId, params.id))
    if (body.full) await updateDatasetRow(tx.db, workspaceId, params.id, { feedGeneration: null })
    const conflict = problem('conflict', { detail: 'A refresh of the dataset is under way.' })
    const job = await enqueue(tx, {
      id: newId('dsr'),
      queue: refreshQueue,
      subject: params.id,
      exclusive: params.id,
      conflict,
      input: { datasetId: params.id, dataSourceId: dataset.dataSourceId },
    })
    await enforceQuota(tx.query, workspaceId, refreshQuota)
    return refreshView(job)
  })

export const getDatasetRefresh: Operation<'getDatasetRefresh'> = async ({ database }, { workspaceId }, { params }) => {
  const job = await database.read({ workspaceId }, (_db, sql) =>
    getJob(sql, { workspaceId, queue: refreshQueue, id: params.id }),
  )
  return refreshView(found(job))
}
