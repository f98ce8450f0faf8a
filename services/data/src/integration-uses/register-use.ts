import {
  type HttpConfig,
  integrationsInternal,
  invalidField,
  Problem,
  problem,
  type RequestCaller,
  type SourceConfig,
  type SourceProvider,
  type WorkspaceCaller,
} from '@wp/contracts'
import { ConcurrentChangeError } from '@wp/database'
import { cancelQueuedJobs } from '@wp/jobs'
import { isSubUrl } from '@wp/outbound'
import { requireScope } from '@wp/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { dataSourceUse, enqueueRelease, type IntegrationUse, queue } from './release-use.ts'

type Caller = RequestCaller<WorkspaceCaller>
type Integration = z.output<typeof integrationsInternal.registerUse.ok>

/** Maximum time between registering a use and committing the change. */
const releaseDelayMs = 60_000

/**
 * Changes a source so that it uses an integration, and registers the use with the integrations service, which must not
 * be called inside a transaction. Every registered use has a source, and every source registers its use:
 *
 * 1. A release of the use is queued for later.
 * 2. The use is registered.
 * 3. The transaction of the change cancels the release. If it never commits, the release runs; if the release has
 *    started already, the change is refused.
 *
 * @throws Problem `missing_scope` unless the caller may read integrations, 400 with a pointer if the integration does
 *   not exist or is unsuitable, `service_unavailable`
 * @throws ConcurrentChangeError
 */
export async function changeWithIntegration<T>(
  context: Context,
  caller: Caller,
  source: IntegrationUse & { provider: SourceProvider; config: SourceConfig },
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  requireScope(caller, 'integrations:read', 'Reading a source through an integration')
  const { database, log } = context
  // Only the change itself belongs to the request, with its idempotency key and audit record.
  const { request: _request, ...background } = caller
  const use: IntegrationUse = { dataSourceId: source.dataSourceId, integrationId: source.integrationId }
  const releaseAt = new Date(context.now() + releaseDelayMs)
  const id = await database.transact(background, (tx) => enqueueRelease(tx, use, releaseAt))
  if (id === undefined) throw new ConcurrentChangeError('the use of the integration is being released')
  try {
    assertSuitable(await registerUse(context, caller, use), source)
    return await database.transact(caller, async (tx) => {
      if ((await cancelQueuedJobs(tx, { queue, id })) === 0)
        throw new ConcurrentChangeError('the use of the integration was released')
      return change(tx)
    })
  } catch (error) {
    // Releases the use now; if this fails, the queued release does it later.
    await database
      .transact(background, (tx) => enqueueRelease(tx, use))
      .catch((err: unknown) =>
        log.warn(
          { event: 'integration_release.delayed', err, ...use },
          'failed to release an integration now; retrying',
        ),
      )
    throw error
  }
}

async function registerUse({ internal }: Context, caller: Caller, use: IntegrationUse): Promise<Integration> {
  try {
    return await internal.callForCaller(caller, 'integrations:read', integrationsInternal.registerUse, {
      params: { integration_id: use.integrationId },
      query: {},
      body: dataSourceUse(use.dataSourceId),
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'not_found')
      throw invalidField('/integration_id', 'is not an integration of this workspace', 'unknown_reference')
    if (error.status < 500) throw error
    throw problem('service_unavailable', {
      detail: 'The integrations service is unavailable; retry shortly',
      cause: error,
    })
  }
}

function assertSuitable(
  integration: Integration,
  { provider, config }: { provider: SourceProvider; config: SourceConfig },
): void {
  if (integration.provider !== provider)
    throw invalidField('/integration_id', `must be an integration of the provider ${provider}`)
  if (integration.status === 'disconnected') throw invalidField('/integration_id', 'is disconnected')
  if (provider !== 'http') return
  const { url } = config as HttpConfig // the config of an http source
  const { base_url: base } = integration.config
  if (typeof base !== 'string' || !isSubUrl(url, base))
    throw invalidField('/config/url', "must be at or below the integration's `base_url`")
}
