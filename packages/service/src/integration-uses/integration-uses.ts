import { integrationsInternal, type RequestCaller, type RequestOf, type WorkspaceCaller } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { ConcurrentChangeError } from '@wp/database/retry-on-conflict'
import { cancelQueuedJobs, enqueue, type Job, JobConflict, type JobControl } from '@wp/jobs'
import type { JobQueue } from '@wp/jobs/background'
import type { Log } from '@wp/runtime'
import type { InternalCalls } from '../calls/internal-calls.ts'
import { requireScope } from '../http/request/authorize.ts'
import { assertSuitable, type IntegrationReference, toIntegrationProblem } from './integration-reference.ts'

/** A resource and an integration that it uses, used or is about to use. */
export interface IntegrationUse {
  resourceId: string
  integrationId: string
}

type UseFields = RequestOf<typeof integrationsInternal.registerUse>['body']

/** The resources of a service that use integrations. */
export interface IntegrationUser<Client> extends Pick<UseFields, 'service' | 'type'> {
  /** The change that needs `integrations:read`, as in `Giving an agent integrations`, for the detail of the problem. */
  purpose: string
  newJobId(): string
  /** Returns true if the resource exists and uses the integration. Blocks changes of it during the transaction. */
  lockUse(tx: Transaction<Client>, use: IntegrationUse): Promise<boolean>
}

interface ChangeContext<Client> {
  database: Database<Client>
  internal: InternalCalls
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * The queue of releases. A release deregisters a use unless the resource still has it. There is at most one job per
 * use: a transaction that cancels the queued job knows that the use is not released before it commits.
 */
const queue = 'release'
/** Slots for releases: with one, those of one workspace would delay those of all others. */
const releaseSlots = 4
/** Unlimited: an integration with an unreleased use could never be deleted. */
const releaseAttempts = Number.MAX_SAFE_INTEGER
const releaseRetryMs = 300_000
/** Maximum time between registering a use and committing the change. */
const releaseDelayMs = 60_000

/**
 * Creates the functions with which a service registers the uses of integrations by its resources. Longer than most
 * functions: its functions share the queue and the kind of resource.
 */
export function createIntegrationUses<Client>({ service, type, purpose, newJobId, lockUse }: IntegrationUser<Client>) {
  const fieldsOf = (resourceId: string): UseFields => ({ service, type, id: resourceId })

  /**
   * Queues the release of a use and replaces an earlier queued one.
   * @param runAt default: now
   * @returns the id of the job; undefined if one is running, which will check the resource after this transaction
   */
  async function enqueueRelease(tx: Transaction, use: IntegrationUse, runAt?: Date): Promise<string | undefined> {
    const exclusive = `${use.resourceId} ${use.integrationId}`
    await cancelQueuedJobs(tx, { queue, exclusive })
    try {
      return (await enqueue(tx, { id: newJobId(), queue, subject: use.resourceId, exclusive, input: use, runAt })).id
    } catch (error) {
      if (error instanceof JobConflict) return undefined
      throw error
    }
  }

  /**
   * Changes a resource so that it uses integrations, and registers the uses with the integrations service, which must
   * not be called inside a transaction. Every registered use has a resource, and every resource registers its uses:
   *
   * 1. A release of each use is queued for later.
   * 2. The uses are registered.
   * 3. The transaction of the change cancels the releases. If it never commits, they run; if one has started already,
   *    the change is refused.
   *
   * @param references the references that the change adds
   * @throws Problem `missing_scope` without `integrations:read`; 400 with a pointer if an integration does not exist or
   *   is unsuitable; `service_unavailable`
   * @throws ConcurrentChangeError
   */
  async function changeWithIntegrations<T>(
    { database, internal, log, now }: ChangeContext<Client>,
    caller: RequestCaller<WorkspaceCaller>,
    { resourceId, references }: { resourceId: string; references: readonly IntegrationReference[] },
    change: (tx: Transaction<Client>) => Promise<T>,
  ): Promise<T> {
    if (references.length === 0) return database.transact(caller, change)
    requireScope(caller, 'integrations:read', purpose)
    // Only the change itself belongs to the request, with its idempotency key and audit record.
    const { request: _request, ...background } = caller
    const integrationIds = new Set(references.map(({ integrationId }) => integrationId))
    const uses = [...integrationIds].map((integrationId) => ({ resourceId, integrationId }))
    const releaseAt = new Date(now() + releaseDelayMs)
    const releases = await database.transact(background, async (tx) => {
      const ids: string[] = []
      for (const use of uses) {
        const id = await enqueueRelease(tx, use, releaseAt)
        if (id === undefined) throw new ConcurrentChangeError('the use of an integration is being released')
        ids.push(id)
      }
      return ids
    })
    try {
      for (const reference of references) {
        const input = { params: { integration_id: reference.integrationId }, body: fieldsOf(resourceId) }
        const integration = await internal
          .callForCaller(caller, 'integrations:read', integrationsInternal.registerUse, input)
          .catch((error: unknown) => {
            throw toIntegrationProblem(error, reference)
          })
        assertSuitable(integration, reference)
      }
      return await database.transact(caller, async (tx) => {
        for (const id of releases)
          if ((await cancelQueuedJobs(tx, { queue, id })) === 0)
            throw new ConcurrentChangeError('the use of an integration was released')
        return change(tx)
      })
    } catch (error) {
      // Releases the uses now; if this fails, the queued releases do it later.
      await database
        .transact(background, async (tx) => {
          for (const use of uses) await enqueueRelease(tx, use)
        })
        .catch((err: unknown) =>
          log.warn(
            { event: 'integration_release.delayed', err, resourceId },
            'failed to release integrations now; retrying',
          ),
        )
      throw error
    }
  }

  /** Deregisters a use if the resource was deleted or no longer uses the integration. */
  async function release(internal: InternalCalls, job: Job, control: JobControl<Client>): Promise<void> {
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
        { params: { integration_id: use.integrationId, ...fieldsOf(use.resourceId) } },
      )
    // A change that dropped the use since the checkpoint could not queue a release while this job was running.
    await control.finish(async (tx) => {
      if (isInUse && !(await lockUse(tx, use))) throw new Error('the integration was dropped during its release')
    })
  }

  /** Returns the jobs that release uses. */
  const releaseJobs = (internal: InternalCalls, leaseMs: number): JobQueue => ({
    leaseMs,
    queue,
    concurrency: releaseSlots,
    maxAttempts: releaseAttempts,
    handle: (job, control: JobControl<Client>) => release(internal, job, control),
    // A release is never abandoned.
    async onFailed(tx, job) {
      const use = job.input as IntegrationUse // written by enqueueRelease alone
      await enqueueRelease(tx, use, new Date(job.updatedAt.getTime() + releaseRetryMs))
    },
  })

  return { changeWithIntegrations, enqueueRelease, releaseJobs }
}
