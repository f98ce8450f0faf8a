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
import type { Transaction } from '@wp/database'
import { cancelQueuedJobs } from '@wp/jobs'
import type { z } from 'zod'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { ConcurrentChangeError } from '../sources/retry-on-conflict.ts'
import { isSubUrl } from './is-sub-url.ts'
import { dataSourceUse, enqueueRelease, type IntegrationUse, queue } from './release-use.ts'

type Caller = RequestCaller<WorkspaceCaller>
type Integration = z.output<typeof integrationsInternal.registerUse.ok>

/** So long a change may take between its integration being told and its commit. */
const releaseDelayMs = 60_000

/**
 * Makes a change after which a source is read through an integration, which knows of it before the change is committed:
 * integrations are asked outside of any transaction. First a release is queued for later, and the transaction of the
 * change takes it back. Where that is never committed, for whatever reason, the release comes about; where it was begun
 * already, the change is refused. So no use stays that there is none of, and none is there that is not known.
 *
 * @throws Problem 400 with a pointer where the integration is not there or not fit, `service_unavailable`
 * @throws ChangedMeanwhile
 */
export async function changeWithIntegration<T>(
  context: Context,
  caller: Caller,
  source: IntegrationUse & { provider: SourceProvider; config: SourceConfig },
  change: (tx: Transaction<PrismaClient>) => Promise<T>,
): Promise<T> {
  const { database, log } = context
  const { request: _request, ...unrequested } = caller
  const use: IntegrationUse = { dataSourceId: source.dataSourceId, integrationId: source.integrationId }
  const id = await database.transact(unrequested, (tx) =>
    enqueueRelease(tx, use, new Date(context.now() + releaseDelayMs)),
  )
  if (id === undefined) throw new ConcurrentChangeError('its use is being let go of')
  try {
    assertSuitable(await registerUse(context, caller, use), source)
    return await database.transact(caller, async (tx) => {
      if ((await cancelQueuedJobs(tx, { queue, id })) === 0) throw new ConcurrentChangeError('its use was let go of')
      return change(tx)
    })
  } catch (error) {
    // Sooner than it was queued for; should this not be written, then.
    await database
      .transact(unrequested, (tx) => enqueueRelease(tx, use))
      .catch((second: unknown) => log.warn({ err: second, ...use }, 'the use of an integration is let go of later'))
    throw error
  }
}

async function registerUse({ internal }: Context, caller: Caller, use: IntegrationUse): Promise<Integration> {
  const { workspaceId, requestId, traceparent } = caller
  const about = { workspaceId, requestId, ...(traceparent === undefined ? {} : { traceparent }) }
  try {
    return await internal.callAsSystem(integrationsInternal.registerUse, about, {
      params: { integration_id: use.integrationId },
      query: {},
      body: dataSourceUse(use.dataSourceId),
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'not_found')
      throw invalidField('/integration_id', 'is not an integration of this workspace', 'unknown_reference')
    if (error.status < 500) throw error
    throw problem('service_unavailable', { detail: 'Integrations cannot be asked now', cause: error })
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
  const { url } = config as HttpConfig // what an http source is configured with
  const { base_url: base } = integration.config
  if (typeof base !== 'string' || !isSubUrl(url, base))
    throw invalidField('/config/url', "must lie under the integration's `base_url`")
}
