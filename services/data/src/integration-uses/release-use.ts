import { integrationsInternal } from '@wp/contracts'
import { newId, type Transaction } from '@wp/database'
import { cancelQueuedJobs, enqueue, type Job, JobConflict, type JobControl } from '@wp/jobs'
import type { InternalCalls } from '@wp/service'

/** A source and an integration it is, was or is about to be read through. */
export interface IntegrationUse {
  dataSourceId: string
  integrationId: string
}

/**
 * The queue of uses that are to be let go of, unless the source still reads through the integration by then. One job a
 * use at a time: whoever takes a queued one back can be sure that the use is not let go of before they commit.
 */
export const queue = 'release'

const exclusive = ({ dataSourceId, integrationId }: IntegrationUse) => `${dataSourceId} ${integrationId}`

/** How integrations calls what uses them. */
export const dataSourceUse = (dataSourceId: string) =>
  ({ service: 'data', type: 'data_source', id: dataSourceId }) as const

/**
 * Has a use let go of, at once or later, in place of what was queued before.
 * @returns the job; undefined where one is under way, which looks at the source after this transaction
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

/** Lets go of a use, if the source is gone or reads through another integration. */
export function createReleaseHandler(internal: InternalCalls) {
  return async <Client>(job: Job, control: JobControl<Client>): Promise<void> => {
    const use = job.input as IntegrationUse // written by `release` alone
    let isLeft = false
    await control.checkpoint(async (tx) => {
      isLeft = !(await isInUse(tx, use))
      return {}
    })
    if (isLeft)
      await internal.callAsSystem(
        integrationsInternal.releaseUse,
        { workspaceId: job.workspaceId, requestId: control.caller.requestId },
        {
          params: { integration_id: use.integrationId, ...dataSourceUse(use.dataSourceId) },
          query: {},
          body: undefined,
        },
      )
    // Who left it meanwhile found this job in their way, and waits for its row and the source's.
    await control.finish(async (tx) => {
      if (!isLeft && !(await isInUse(tx, use))) throw new Error('the source was left while its use was looked at')
    })
  }
}

/** What was interrupted too often is begun anew: it is never given up. */
export async function rescheduleRelease(tx: Transaction, job: Job): Promise<void> {
  await enqueueRelease(tx, job.input as IntegrationUse, new Date(job.updatedAt.getTime() + releaseRetryMs)) // written by `release` alone
}

const releaseRetryMs = 300_000

async function isInUse(
  { query, workspaceId }: Transaction,
  { dataSourceId, integrationId }: IntegrationUse,
): Promise<boolean> {
  const found = await query(
    `SELECT FROM data_sources WHERE workspace_id = $1 AND data_source_id = $2 AND integration_id = $3 FOR SHARE`,
    [workspaceId, dataSourceId, integrationId],
  )
  return found.length > 0
}
