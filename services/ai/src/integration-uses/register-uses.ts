import { integrationsInternal, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { ConcurrentChangeError } from '@wp/database'
import { cancelQueuedJobs } from '@wp/jobs'
import { requireScope } from '@wp/service'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { assertSuitable, type IntegrationReference, toReferenceProblem } from './integration-references.ts'
import { agentUse, enqueueRelease, type IntegrationUse, releaseQueue } from './release-use.ts'

type Caller = RequestCaller<WorkspaceCaller>
type Change<T> = (tx: Tx) => Promise<T>

/** Maximum time between registering a use and committing the change. */
const releaseDelayMs = 60_000

/**
 * Changes an agent so that it uses integrations, and registers the uses with the integrations service, which must not
 * be called inside a transaction. Every registered use has an agent, and every agent registers its uses:
 *
 * 1. A release of each use is queued for later.
 * 2. The uses are registered.
 * 3. The transaction of the change cancels the releases. If it never commits, they run; if one has started already, the
 *    change is refused.
 *
 * @param references the references that the change adds
 * @throws Problem `missing_scope` without `integrations:read`; 400 with a pointer if an integration does not exist or
 *   is unsuitable; `service_unavailable`
 * @throws ConcurrentChangeError
 */
export async function changeWithIntegrations<T>(
  context: Context,
  caller: Caller,
  { agentId, references }: { agentId: string; references: readonly IntegrationReference[] },
  change: Change<T>,
): Promise<T> {
  const { database, log } = context
  if (references.length === 0) return database.transact(caller, change)
  requireScope(caller, 'integrations:read', 'Giving an agent integrations')
  // Only the change itself belongs to the request, with its idempotency key and audit record.
  const { request: _request, ...background } = caller
  const uses = [...new Set(references.map(({ integrationId }) => integrationId))].map((integrationId) => ({
    agentId,
    integrationId,
  }))
  const releases = await queueReleases(context, background, uses)
  try {
    for (const reference of references) await register(context, caller, agentId, reference)
    return await database.transact(caller, async (tx) => {
      for (const id of releases)
        if ((await cancelQueuedJobs(tx, { queue: releaseQueue, id })) === 0)
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
          { event: 'integration_release.delayed', err, agentId },
          'failed to release the integrations of an agent now; retrying',
        ),
      )
    throw error
  }
}

/** Queues the releases that run if the change is never committed. @returns the ids of the jobs */
const queueReleases = (
  { database, now }: Context,
  caller: Caller,
  uses: readonly IntegrationUse[],
): Promise<string[]> => {
  const releaseAt = new Date(now() + releaseDelayMs)
  return database.transact(caller, async (tx) => {
    const ids: string[] = []
    for (const use of uses) {
      const id = await enqueueRelease(tx, use, releaseAt)
      if (id === undefined) throw new ConcurrentChangeError('the use of an integration is being released')
      ids.push(id)
    }
    return ids
  })
}

async function register(
  { internal }: Context,
  caller: Caller,
  agentId: string,
  reference: IntegrationReference,
): Promise<void> {
  const input = { params: { integration_id: reference.integrationId }, query: {}, body: agentUse(agentId) }
  const integration = await internal
    .callForCaller(caller, 'integrations:read', integrationsInternal.registerUse, input)
    .catch((error: unknown) => {
      throw toReferenceProblem(error, reference)
    })
  assertSuitable(integration, reference)
}
