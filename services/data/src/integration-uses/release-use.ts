import { integrationsInternal } from '@wp/contracts'
import { newId, type Transaction } from '@wp/database'
import { cancelQueuedJobs, enqueue, type Job, JobConflict, type JobControl } from '@wp/jobs'
import type { InternalCalls } from '@wp/service'
import { lockIntegrationUse } from '../store/sources/locked-source.ts'

/** A source and an integration that it uses, used or is about to use. */
export interface IntegrationUse {
  dataSourceId: string
  integrationId: string
}

/**
 * The queue of releases. A release deregisters a use unless the source still has it. There is at most one job per use:
 * a transaction that cancels the queued job knows that the use is not released before it commits.
 */
export const queue = 'release'

const exclusive = ({ dataSourceId, integrationId }: IntegrationUse) => `${dataSourceId} ${integrationId}`

/** Returns how the integrations service identifies the use by a data source. */
export const dataSourceUse = (dataSourceId: string) =>
  ({ service: 'data', type: 'data_source', id: dataSourceId }) as const

/**
 * Queues the release of a use and replaces an earlier queued one.
 * @param runAt default: now
 * @returns the id of the job; undefined if one is running, which will check the source after this transaction
 */
export async function enqueueRelease(tx: Transaction, use: IntegrationUse, runAt?: Date): Promise<string | undefined> {
  await cancelQueuedJobs(tx, { queue, exclusive: exclusive(use) })
  const job = { id: newId('sync'), queue, subject: use.dataSourceId, exclusive: exclusive(use), input: use, runAt }
  try {
    return (await enqueue(tx, job)).id
  } catch (error) {
    if (error instanceof JobConflict) return undefined
    throw error
  }
}

/** Creates the handler that deregisters a use if the source was deleted or uses another integration. */
export function createReleaseHandler(internal: InternalCalls) {
  return async <Client>(job: Job, control: JobControl<Client>): Promise<void> => {
    const use = job.input as IntegrationUse // written by enqueueRelease alone
    let isInUse = true
    await control.checkpoint(async (tx) => {
      isInUse = await readInUse(tx, use)
      return {}
    })
    if (!isInUse)
      await internal.callAsSystem(
        integrationsInternal.releaseUse,
        { workspaceId: job.workspaceId, requestId: control.caller.requestId },
        {
          params: { integration_id: use.integrationId, ...dataSourceUse(use.dataSourceId) },
          query: {},
          body: undefined,
        },
      )
    // A change that dropped the use since the checkpoint could not queue a release while this job was running.
    await control.finish(async (tx) => {
      if (isInUse && !(await readInUse(tx, use)))
        throw new Error('the source dropped the integration during its release')
    })
  }
}

const readInUse = ({ query, workspaceId }: Transaction, { dataSourceId, integrationId }: IntegrationUse) =>
  lockIntegrationUse(query, { workspaceId: workspaceId ?? '', dataSourceId }, integrationId)

/** Queues a failed release again: a release is never abandoned. */
export async function rescheduleRelease(tx: Transaction, job: Job): Promise<void> {
  const use = job.input as IntegrationUse // written by enqueueRelease alone
  await enqueueRelease(tx, use, new Date(job.updatedAt.getTime() + releaseRetryMs))
}

const releaseRetryMs = 300_000
