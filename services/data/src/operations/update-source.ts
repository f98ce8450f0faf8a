import { type data, type InputOf, problem, type SourceConfig } from '@wp/contracts'
import { ConcurrentChangeError, definedFields, mergeMetadata, retryOnConflict } from '@wp/database'
import { requireScope } from '@wp/service'
import type { Context, Operation } from '../context.ts'
import { ensurePseudonymKey } from '../privacy/load-protection.ts'
import { assertAccessChange, assertNotEmbedded, assertNotReopened } from '../privacy/record-access.ts'
import { protectsAlike } from '../privacy/row-protection.ts'
import { nextRun, validateSchedule } from '../schedule/next-run.ts'
import {
  applySettingsPatch,
  changesRequests,
  checkAddress,
  httpConfigOf,
  invalidatesCrawlState,
  type SourceSettings,
} from '../sources/source-settings.ts'
import { changeWithIntegrations, enqueueRelease, integrationReference } from '../sources/source-uses.ts'
import type { Tx } from '../store/client.ts'
import { deleteSearchViews } from '../store/search/search-views.ts'
import { syncScheduleQueue } from '../store/sources/due-sources.ts'
import { type LockedSource, lockSource, resetCrawlState } from '../store/sources/locked-source.ts'
import { findSource, type Source, type SourceChanges, updateSourceRow } from '../store/sources/sources.ts'
import { cancelSyncs } from '../sync/sync-job.ts'
import { sourceView } from '../views.ts'

type Update = Operation<'updateSource'>
type Patch = InputOf<typeof data.updateSource>['body']

/** Updates a source. A changed config takes effect on records with the next sync. */
export const updateSource: Update = (context, caller, input) =>
  retryOnConflict('data source', () => update(context, caller, input))

const update: Update = async (context, caller, { params: { data_source_id: id }, body }) => {
  const now = new Date(context.now())
  const before = await context.database.read(caller, (db) => findSource(db, caller.workspaceId, id))
  const after = applySettingsPatch(before, body)
  await assertAccessChange(context.internal, caller, before, body.record_access)
  const { integrationId } = after
  if (integrationId !== null && changesRequests(before, after))
    requireScope(caller, 'integrations:read', 'Changing what a source reads through an integration')
  if (body.schedule !== undefined) validateSchedule(body.schedule, now)
  const config = httpConfigOf(after)
  const isMoved = config !== undefined && config.url !== httpConfigOf(before)?.url
  if (isMoved) await checkAddress(context, config)

  const change = (tx: Tx) => writeChange(context, tx, caller.workspaceId, { id, body, before, after, now })
  const needsIntegration = integrationId !== null && (isMoved || integrationId !== before.integrationId)
  const references = needsIntegration ? [integrationReference(integrationId, after)] : []
  return changeWithIntegrations(context, caller, { resourceId: id, references }, change)
}

interface Change {
  id: string
  body: Patch
  /** As read before the transaction. */
  before: Source
  after: SourceSettings
  now: Date
}

/** @throws ConcurrentChangeError if the settings changed since `before` was read */
async function writeChange({ sealer }: Context, tx: Tx, workspaceId: string, { id, body, before, after, now }: Change) {
  const resetsCrawl = before.provider !== 'upload' && invalidatesCrawlState(before, after)
  // Lock order as in a sync, which locks its job before its source; the reverse could deadlock.
  const restricts = body.record_access === 'aggregates' && before.recordAccess === 'full'
  if (resetsCrawl || (restricts && before.provider !== 'upload'))
    await cancelSyncs(tx, workspaceId, id, { onlyStarted: true })
  const locked = await lockSource(tx.query, workspaceId, id)
  if (resetsCrawl) await resetCrawlState(tx.query, locked)
  const current = await findSource(tx.db, workspaceId, id)
  if (invalidatesCrawlState(before, current)) throw new ConcurrentChangeError('the settings of the source changed')
  assertNotReopened(current, body.record_access)
  if (current.integrationId !== null && current.integrationId !== after.integrationId)
    await enqueueRelease(tx, { resourceId: id, integrationId: current.integrationId })
  const changes = {
    ...plainChanges(current, body),
    config: applySettingsPatch(current, body).config,
    integrationId: after.integrationId,
  }
  assertNotEmbedded({ ...current, ...changes })
  const protection = await changeProtection(sealer, tx, locked, changes.config)
  if (restricts) await deleteSearchViews(tx.query, workspaceId)
  if (restricts || protection !== undefined)
    tx.audit({ changes: { ...(restricts ? { record_access: 'aggregates' } : {}), ...protection } })
  const row = { ...changes, ...nextSyncChange(current, changes, now), updatedAt: now }
  if (row.nextSyncAt) tx.wake(syncScheduleQueue)
  return sourceView(await updateSourceRow(tx.db, id, row))
}

/**
 * Prepares a change of the protected columns. Stored records would keep what is protected from now on, or show beside
 * others what no longer is.
 * @returns the protected columns for the audit log; undefined if they stay the same
 * @throws Problem `conflict` if the source has records
 */
async function changeProtection(
  sealer: Context['sealer'],
  { query }: Tx,
  { workspaceId, config: before, recordCount }: LockedSource,
  config: SourceConfig,
) {
  if (protectsAlike(before, config)) return undefined
  if (recordCount > 0)
    throw problem('conflict', {
      detail: `\`config.pseudonymize\` and \`config.drop\` can be changed only while the data source has no records; it has ${recordCount}. Create another data source with them, read the data into it, and delete this one`,
    })
  await ensurePseudonymKey(query, sealer, workspaceId, config)
  const { pseudonymize = [], drop = [] } = config
  return { pseudonymize, drop }
}

function plainChanges(source: Source, patch: Patch): Partial<SourceChanges> {
  const { sync_mode: syncMode, external_id: externalId, record_access: recordAccess, ...others } = patch
  const { embed, metadata, name, schedule, status } = others
  return definedFields({
    name,
    status,
    schedule,
    syncMode,
    embed,
    recordAccess,
    externalId,
    metadata: mergeMetadata(source.metadata, metadata),
  })
}

/** A new schedule, or one that resumes after a pause, starts now: runs missed during a pause are not made up for. */
function nextSyncChange(
  source: Source,
  { schedule, status }: Partial<SourceChanges>,
  now: Date,
): { nextSyncAt?: Date | null } {
  if ((status ?? source.status) === 'paused') return { nextSyncAt: null }
  const isNew = schedule !== undefined && JSON.stringify(schedule) !== JSON.stringify(source.schedule)
  return isNew || source.status === 'paused' ? { nextSyncAt: nextRun(schedule ?? source.schedule, now) } : {}
}
