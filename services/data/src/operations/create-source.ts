import { enforceQuota, newId, retryOnConflict } from '@wp/database'
import type { Operation } from '../context.ts'
import { ensurePseudonymKey } from '../privacy/load-protection.ts'
import { assertNotEmbedded } from '../privacy/record-access.ts'
import { nextRun, validateSchedule } from '../schedule/next-run.ts'
import { checkAddress } from '../sources/source-settings.ts'
import { changeWithIntegrations, integrationReference } from '../sources/source-uses.ts'
import type { Tx } from '../store/client.ts'
import { sourceQuota } from '../store/quotas.ts'
import { syncScheduleQueue } from '../store/sources/due-sources.ts'
import { insertSource } from '../store/sources/sources.ts'
import { sourceView } from '../views.ts'

export const createSource: Operation<'createSource'> = async (context, caller, { body }) => {
  const {
    sync_mode: syncMode,
    external_id: externalId,
    integration_id: integrationId,
    record_access: recordAccess,
    ...rest
  } = body
  assertNotEmbedded({ ...rest, recordAccess })
  const now = new Date(context.now())
  validateSchedule(body.schedule, now)
  if (body.provider === 'http') await checkAddress(context, body.config)
  const dataSourceId = newId('src')
  const nextSyncAt = nextRun(body.schedule, now)
  const source = { ...rest, dataSourceId, integrationId, syncMode, recordAccess, externalId, nextSyncAt }
  const insert = async (tx: Tx) => {
    await ensurePseudonymKey(tx.query, context.sealer, caller.workspaceId, body.config)
    const inserted = await insertSource(tx.db, caller.workspaceId, source)
    if (nextSyncAt !== null) tx.wake(syncScheduleQueue)
    await enforceQuota(tx.query, caller.workspaceId, sourceQuota)
    return sourceView(inserted)
  }
  const references = integrationId === null ? [] : [integrationReference(integrationId, source)]
  const use = { resourceId: dataSourceId, references }
  return retryOnConflict('data source', () => changeWithIntegrations(context, caller, use, insert))
}
