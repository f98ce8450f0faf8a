import type { data, InputOf, Operation } from '@wp/contracts'
import { ConcurrentChangeError, mergeMetadata, retryOnConflict } from '@wp/database'
import { requireScope } from '@wp/service'
import type { Context } from '../context.ts'
import { changeWithIntegration } from '../integration-uses/register-use.ts'
import { enqueueRelease } from '../integration-uses/release-use.ts'
import { nextRun, validateSchedule } from '../schedule/next-run.ts'
import { checkAddress } from '../sources/check-address.ts'
import {
  applySettingsPatch,
  changesRequests,
  httpConfigOf,
  invalidatesCrawlState,
  type SourceSettings,
} from '../sources/source-settings.ts'
import type { Tx } from '../store/client.ts'
import { lockSource, resetCrawlState } from '../store/sources/locked-source.ts'
import { findSource, type Source, type SourceChanges, updateSourceRow } from '../store/sources/sources.ts'
import { cancelSyncs } from '../sync/cancel-syncs.ts'
import { sourceView } from '../views.ts'

type Update = Operation<typeof data.updateSource, Context>
type Patch = InputOf<typeof data.updateSource>['body']

/** Updates a source. A changed config takes effect on records with the next sync. */
export const updateSource: Update = (context, caller, input) =>
  retryOnConflict('data source', () => update(context, caller, input))

const update: Update = async (context, caller, { params: { data_source_id: id }, body }) => {
  const now = new Date(context.now())
  const before = await context.database.read(caller, (db) => findSource(db, caller.workspaceId, id))
  const after = applySettingsPatch(before, body)
  const { integrationId } = after
  if (integrationId !== null && changesRequests(before, after))
    requireScope(caller, 'integrations:read', 'Changing what a source reads through an integration')
  if (body.schedule !== undefined) validateSchedule(body.schedule, now)
  const config = httpConfigOf(after)
  const isMoved = config !== undefined && config.url !== httpConfigOf(before)?.url
  if (isMoved) await checkAddress(context, config)

  const change = (tx: Tx) => writeChange(tx, caller.workspaceId, { id, body, before, after, now })
  const needsIntegration = integrationId !== null && (isMoved || integrationId !== before.integrationId)
  return needsIntegration
    ? changeWithIntegration(context, caller, { ...after, dataSourceId: id, integrationId }, change)
    : context.database.transact(caller, change)
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
async function writeChange(tx: Tx, workspaceId: string, { id, body, before, after, now }: Change) {
  const resetsCrawl = before.provider !== 'upload' && invalidatesCrawlState(before, after)
  // Lock order as in a sync, which locks its job before its source; the reverse could deadlock.
  if (resetsCrawl) await cancelSyncs(tx, workspaceId, id, { onlyStarted: true })
  const locked = await lockSource(tx.query, workspaceId, id)
  if (resetsCrawl) await resetCrawlState(tx.query, locked)
  const current = await findSource(tx.db, workspaceId, id)
  if (invalidatesCrawlState(before, current)) throw new ConcurrentChangeError('the settings of the source changed')
  if (current.integrationId !== null && current.integrationId !== after.integrationId)
    await enqueueRelease(tx, { dataSourceId: id, integrationId: current.integrationId })
  const changes = {
    ...plainChanges(current, body),
    config: applySettingsPatch(current, body).config,
    integrationId: after.integrationId,
  }
  const row = { ...changes, ...nextSyncChange(current, changes, now), updatedAt: now }
  return sourceView(await updateSourceRow(tx.db, id, row))
}

function plainChanges(source: Source, patch: Patch): Partial<SourceChanges> {
  const { sync_mode: syncMode, external_id: externalId, embed, metadata, name, schedule, status } = patch
  return {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(syncMode === undefined ? {} : { syncMode }),
    ...(embed === undefined ? {} : { embed }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(metadata === undefined ? {} : { metadata: mergeMetadata(source.metadata, metadata) }),
  }
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
