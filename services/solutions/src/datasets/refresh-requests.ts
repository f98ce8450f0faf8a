import { newId } from '@wp/database'
import { enqueue, type Job, JobConflict } from '@wp/jobs'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Control, Tx } from '../store/client.ts'
import {
  type Dataset,
  deleteDatasetRow,
  findDataset,
  findOutdatedDatasets,
  lockDataset,
  markNeedsRefresh,
  refreshQueue,
  restartDatasetsOfInstants,
  updateDatasetRow,
} from '../store/datasets.ts'
import { deleteFactsOf } from '../store/facts.ts'
import { readerVersion } from './read-row.ts'

export interface RefreshInput {
  datasetId: string
  dataSourceId: string
}

/**
 * Has a dataset refreshed. A refresh that is under way may have passed what is new: it finds the mark when it ends, and
 * begins again. Locks the dataset, so call it before a lock of the weeks.
 */
export async function requestRefresh(tx: Tx, input: RefreshInput): Promise<void> {
  const { datasetId } = input
  await markNeedsRefresh(tx.query, tx.workspaceId ?? '', datasetId)
  try {
    await enqueue(tx, { id: newId('dsr'), queue: refreshQueue, subject: datasetId, exclusive: datasetId, input })
  } catch (error) {
    if (!(error instanceof JobConflict)) throw error
  }
}

/**
 * Has the datasets whose times have an offset read again: the local day and hour of a row depend on the zone of its
 * space.
 */
export async function requestRereading(tx: Tx, workspaceId: string): Promise<void> {
  for (const dataset of await restartDatasetsOfInstants(tx.query, workspaceId)) await requestRefresh(tx, dataset)
}

/** Thrown where a refresh finds that its dataset was deleted. */
export class DatasetDeleted extends Error {
  override readonly name = 'DatasetDeleted'
}

/** Thrown where a refresh finds that the source of its dataset was deleted. */
export class SourceDeleted extends Error {
  override readonly name = 'SourceDeleted'
}

/** Thrown where a refresh finds that another one was requested since it began. */
export class RefreshOutdated extends Error {
  override readonly name = 'RefreshOutdated'
}

/** Deletes a dataset with its facts, and has all days counted again. @returns false if it does not exist */
export async function eraseDataset(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  // A refresh takes the same locks in this order.
  if (!(await lockDataset(tx.query, workspaceId, id))) return false
  // The range of all days must be marked while the facts are there.
  await requestRecount(tx, workspaceId)
  await deleteDatasetRow(tx.db, workspaceId, id)
  await deleteFactsOf(tx.query, workspaceId, id)
  return true
}

/** Returns the dataset of a refresh that begins, and notes the refresh in it. @throws DatasetDeleted */
export async function beginRefresh(job: Job, control: Control): Promise<Dataset> {
  const { workspaceId, input } = job
  const { datasetId } = input as RefreshInput // written by requestRefresh and the operation
  const found: Dataset[] = []
  // People of one reading would not be those of another. A transaction of its own, which locks in one order.
  await control.checkpoint(async (tx) => {
    const outdated = await findOutdatedDatasets(tx.query, workspaceId, readerVersion)
    if (outdated.some((one) => one.datasetId === datasetId))
      for (const other of outdated) if (other.datasetId !== datasetId) await requestRefresh(tx, other)
    return { isProgress: false }
  })
  await control.checkpoint(async (tx) => {
    if (!(await lockDataset(tx.query, workspaceId, datasetId))) throw new DatasetDeleted()
    const former = (await findDataset(tx.db, workspaceId, datasetId))?.readerVersion ?? readerVersion
    await updateDatasetRow(tx.db, workspaceId, datasetId, {
      needsRefresh: false,
      lastRefreshId: job.id,
      // An older replica does not read again what a newer one has read; the lower version has a newer one do so later.
      readerVersion,
      ...(former < readerVersion ? { feedGeneration: null } : {}),
    })
    const dataset = await findDataset(tx.db, workspaceId, datasetId)
    if (dataset !== null) found.push(dataset)
    return { isProgress: false }
  })
  const [dataset] = found
  if (dataset === undefined) throw new DatasetDeleted()
  return dataset
}

/** Locks the dataset of a refresh. @throws DatasetDeleted or RefreshOutdated */
export async function lockCurrent(tx: Tx, { workspaceId, id }: Pick<Dataset, 'workspaceId' | 'id'>): Promise<void> {
  if (!(await lockDataset(tx.query, workspaceId, id))) throw new DatasetDeleted()
  if ((await findDataset(tx.db, workspaceId, id))?.needsRefresh) throw new RefreshOutdated()
}

/** Has a dataset refreshed whose refresh failed, if another one was requested since it began. */
export async function followFailedRefresh(tx: Tx, job: Job): Promise<void> {
  const input = job.input as RefreshInput // written by requestRefresh and the operation
  const dataset = await findDataset(tx.db, job.workspaceId, input.datasetId)
  if (dataset?.needsRefresh) await requestRefresh(tx, input)
}
