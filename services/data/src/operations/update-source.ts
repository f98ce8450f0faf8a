import type { data, InputOf, Operation } from '@wp/contracts'
import { mergeMetadata, type Transaction } from '@wp/database'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { changeWithIntegration } from '../integration-uses/register-use.ts'
import { enqueueRelease } from '../integration-uses/release-use.ts'
import { nextRun, validateSchedule } from '../schedule/next-run.ts'
import { checkAddress } from '../sources/check-address.ts'
import { ConcurrentChangeError, retryOnConflict } from '../sources/retry-on-conflict.ts'
import { applySettingsPatch, httpConfigOf, invalidatesCrawlState } from '../sources/source-settings.ts'
import {
  findSource,
  lockSource,
  resetCrawlState,
  type Source,
  type SourceChanges,
  updateSourceRow,
} from '../store/sources/sources.ts'
import { cancelSyncs } from '../sync/cancel-syncs.ts'
import { sourceView } from '../views.ts'

/** Merges what was sent into what there is. A changed config shows in records with the next sync. */
export const updateSource: Operation<typeof data.updateSource, Context> = (context, caller, input) =>
  retryOnConflict(() => update(context, caller, input))

const update: Operation<typeof data.updateSource, Context> = async (
  context,
  caller,
  { params: { data_source_id: id }, body },
) => {
  const { database } = context
  const { workspaceId } = caller
  const now = new Date(context.now())
  const before = await database.read(caller, (db) => findSource(db, workspaceId, id))
  const after = applySettingsPatch(before, body)
  if (body.schedule !== undefined) validateSchedule(body.schedule, now)
  const address = httpConfigOf(after)
  const isElsewhere = address !== undefined && address.url !== httpConfigOf(before)?.url
  if (address !== undefined && isElsewhere) await checkAddress(context, address)

  async function change(tx: Transaction<PrismaClient>) {
    // First the syncs, as a sync takes its job before its source: two that wait for each other would be undone.
    const isOther = before.provider !== 'upload' && invalidatesCrawlState(before, after)
    if (isOther) await cancelSyncs(tx, workspaceId, id, { begun: true })
    const locked = await lockSource(tx.query, workspaceId, id)
    if (isOther) await resetCrawlState(tx.query, locked)
    const found = await findSource(tx.db, workspaceId, id)
    if (invalidatesCrawlState(before, found)) throw new ConcurrentChangeError('it is read by something else')
    if (found.integrationId !== null && found.integrationId !== after.integrationId)
      await enqueueRelease(tx, { dataSourceId: id, integrationId: found.integrationId })
    const changes = {
      ...changesOf(found, body),
      config: applySettingsPatch(found, body).config,
      integrationId: after.integrationId,
    }
    return sourceView(
      await updateSourceRow(tx.db, id, { ...changes, ...dueAfter(found, changes, now), updatedAt: now }),
    )
  }

  const { integrationId } = after
  const isAsked = integrationId !== null && (isElsewhere || integrationId !== before.integrationId)
  return isAsked
    ? changeWithIntegration(context, caller, { ...after, dataSourceId: id, integrationId }, change)
    : database.transact(caller, change)
}

type Patch = InputOf<typeof data.updateSource>['body']

function changesOf(source: Source, patch: Patch): Partial<SourceChanges> {
  const { sync_mode: syncMode, external_id: externalId, metadata, name, schedule, status } = patch
  return {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(syncMode === undefined ? {} : { syncMode }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(metadata === undefined ? {} : { metadata: mergeMetadata(source.metadata, metadata) }),
  }
}

/** A schedule that is new, or of a source that goes on after a pause, begins now: a pause misses nothing. */
function dueAfter(
  source: Source,
  { schedule, status }: Partial<SourceChanges>,
  now: Date,
): { nextSyncAt?: Date | null } {
  if ((status ?? source.status) === 'paused') return { nextSyncAt: null }
  const isNew = schedule !== undefined && JSON.stringify(schedule) !== JSON.stringify(source.schedule)
  return isNew || source.status === 'paused' ? { nextSyncAt: nextRun(schedule ?? source.schedule, now) } : {}
}
