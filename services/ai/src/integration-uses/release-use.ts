import { integrationsInternal, Problem } from '@wp/contracts'
import { newId, type Transaction } from '@wp/database'
import { cancelQueuedJobs, enqueue, type Job, JobConflict } from '@wp/jobs'
import type { InternalCalls } from '@wp/service'
import { findAgent, lockAgent } from '../store/agents/agents.ts'
import type { Control, Tx } from '../store/client.ts'
import { integrationIdsOf } from './integration-references.ts'

/** An agent and an integration that it uses, used or is about to use. */
export interface IntegrationUse {
  agentId: string
  integrationId: string
}

/**
 * The queue of releases. A release deregisters a use unless the agent still has it. There is at most one job per use:
 * a transaction that cancels the queued job knows that the use is not released before it commits.
 */
export const releaseQueue = 'release'

const exclusive = ({ agentId, integrationId }: IntegrationUse) => `${agentId} ${integrationId}`

/** Returns how the integrations service identifies the use by an agent. */
export const agentUse = (agentId: string) => ({ service: 'ai', type: 'agent', id: agentId }) as const

/**
 * Queues the release of a use and replaces an earlier queued one.
 * @param runAt default: now
 * @returns the id of the job; undefined if one is running, which will check the agent after this transaction
 */
export async function enqueueRelease(tx: Transaction, use: IntegrationUse, runAt?: Date): Promise<string | undefined> {
  await cancelQueuedJobs(tx, { queue: releaseQueue, exclusive: exclusive(use) })
  const job = { id: newId('agt'), queue: releaseQueue, subject: use.agentId, exclusive: exclusive(use), input: use }
  try {
    return (await enqueue(tx, { ...job, runAt })).id
  } catch (error) {
    if (error instanceof JobConflict) return undefined
    throw error
  }
}

/** Creates the handler that deregisters a use if the agent was deleted or no longer uses the integration. */
export function createReleaseHandler(internal: InternalCalls) {
  return async (job: Job, control: Control): Promise<void> => {
    const use = job.input as IntegrationUse // written by enqueueRelease alone
    let isInUse = true
    await control.checkpoint(async (tx) => {
      isInUse = await lockUse(tx, use)
      return {}
    })
    if (!isInUse)
      await internal.callAsSystem(
        integrationsInternal.releaseUse,
        { workspaceId: job.workspaceId, requestId: control.caller.requestId },
        { params: { integration_id: use.integrationId, ...agentUse(use.agentId) }, query: {}, body: undefined },
      )
    // A change that dropped the use since the checkpoint could not queue a release while this job was running.
    await control.finish(async (tx) => {
      if (isInUse && !(await lockUse(tx, use))) throw new Error('the agent dropped the integration during its release')
    })
  }
}

/**
 * Returns true if an agent exists and uses an integration. Blocks changes of the agent until the end of the
 * transaction.
 */
async function lockUse(tx: Tx, { agentId, integrationId }: IntegrationUse): Promise<boolean> {
  const workspaceId = tx.workspaceId ?? ''
  try {
    await lockAgent(tx.query, workspaceId, agentId, 'share')
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false
    throw error
  }
  return integrationIdsOf((await findAgent(tx.db, workspaceId, agentId)).content).includes(integrationId)
}

/** Queues a failed release again: a release is never abandoned. */
export async function rescheduleRelease(tx: Transaction, job: Job): Promise<void> {
  const use = job.input as IntegrationUse // written by enqueueRelease alone
  await enqueueRelease(tx, use, new Date(job.updatedAt.getTime() + releaseRetryMs))
}

const releaseRetryMs = 300_000
