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
import { withdrawJobs } from '@wp/jobs'
import type { z } from 'zod'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { ChangedMeanwhile } from './again.ts'
import { queue, release, type Use, useOf } from './releases.ts'
import { isUnder } from './under.ts'

type Caller = RequestCaller<WorkspaceCaller>
type Integration = z.output<typeof integrationsInternal.registerUse.ok>

/** So long a change may take between its integration being told and its commit. */
const heldMs = 60_000

/**
 * Makes a change after which a source is read through an integration, which knows of it before the change is committed:
 * integrations are asked outside of any transaction. First a release is queued for later, and the transaction of the
 * change takes it back. Where that is never committed, for whatever reason, the release comes about; where it was begun
 * already, the change is refused. So no use stays that there is none of, and none is there that is not known.
 *
 * @throws Problem 400 with a pointer where the integration is not there or not fit, `service_unavailable`
 * @throws ChangedMeanwhile
 */
export async function throughIntegration<T>(
  context: Context,
  caller: Caller,
  source: Use & { provider: SourceProvider; config: SourceConfig },
  change: (tx: Transaction<PrismaClient>) => Promise<T>,
): Promise<T> {
  const { database, log } = context
  const { request: _request, ...unrequested } = caller
  const use: Use = { dataSourceId: source.dataSourceId, integrationId: source.integrationId }
  const id = await database.transact(unrequested, (tx) => release(tx, use, new Date(context.now() + heldMs)))
  if (id === undefined) throw new ChangedMeanwhile('its use is being let go of')
  try {
    refuseUnfit(await register(context, caller, use), source)
    return await database.transact(caller, async (tx) => {
      if ((await withdrawJobs(tx, { queue, id })) === 0) throw new ChangedMeanwhile('its use was let go of')
      return change(tx)
    })
  } catch (error) {
    // Sooner than it was queued for; should this not be written, then.
    await database
      .transact(unrequested, (tx) => release(tx, use))
      .catch((second: unknown) => log.warn({ err: second, ...use }, 'the use of an integration is let go of later'))
    throw error
  }
}

async function register({ internal }: Context, caller: Caller, use: Use): Promise<Integration> {
  const { workspaceId, requestId, traceparent } = caller
  const about = { workspaceId, requestId, ...(traceparent === undefined ? {} : { traceparent }) }
  try {
    return await internal.callAsSystem(integrationsInternal.registerUse, about, {
      params: { integration_id: use.integrationId },
      query: {},
      body: useOf(use.dataSourceId),
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'not_found')
      throw invalidField('/integration_id', 'is not an integration of this workspace', 'unknown_reference')
    if (error.status < 500) throw error
    throw problem('service_unavailable', { detail: 'Integrations cannot be asked now', cause: error })
  }
}

function refuseUnfit(
  integration: Integration,
  { provider, config }: { provider: SourceProvider; config: SourceConfig },
): void {
  if (integration.provider !== provider)
    throw invalidField('/integration_id', `must be an integration of the provider ${provider}`)
  if (integration.status === 'disconnected') throw invalidField('/integration_id', 'is disconnected')
  if (provider !== 'http') return
  const { url } = config as HttpConfig // what an http source is configured with
  const { base_url: base } = integration.config
  if (typeof base !== 'string' || !isUnder(url, base))
    throw invalidField('/config/url', "must lie under the integration's `base_url`")
}
