import type { data, InputOf, Operation, UploadConfig } from '@wp/contracts'
import { mergeMetadata } from '@wp/database'
import type { Context } from '../context.ts'
import { changeSource, findSource, lockSource, type Source, type SourceChanges } from '../store/sources.ts'
import { sourceView } from '../views.ts'

/** Merges what was sent into what there is. A changed config shows in records with the next sync. */
export const updateSource: Operation<typeof data.updateSource, Context> = (
  { database, now },
  caller,
  { params: { data_source_id: id }, body },
) =>
  database.transact(caller, async (tx) => {
    await lockSource(tx.query, caller.workspaceId, id)
    const changes = changesOf(await findSource(tx.db, caller.workspaceId, id), body)
    return sourceView(await changeSource(tx.db, id, { ...changes, updatedAt: new Date(now()) }))
  })

type Patch = InputOf<typeof data.updateSource>['body']

function changesOf(source: Source, patch: Patch): Omit<SourceChanges, 'updatedAt'> {
  const { sync_mode: syncMode, external_id: externalId, config, metadata, name, schedule, status } = patch
  return {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(syncMode === undefined ? {} : { syncMode }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(config === undefined ? {} : { config: merged<UploadConfig>(source.config, config) }),
    ...(metadata === undefined ? {} : { metadata: mergeMetadata(source.metadata, metadata) }),
  }
}

/** JSON Merge Patch (RFC 7396) of one level: null takes a member away, or everything. */
const merged = <T extends object>(target: T, patch: Readonly<Record<string, unknown>> | null): T =>
  Object.fromEntries(
    patch === null ? [] : Object.entries({ ...target, ...patch }).filter(([, value]) => value != null),
  ) as T // members are those of T, from either side
