import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { selectRecords } from '../erasure/select-records.ts'
import { announceRows } from '../ingest/announce-rows.ts'
import { assertReadable } from '../privacy/record-access.ts'
import { eraseRecords } from '../store/records/erase-records.ts'
import { findRecord } from '../store/records/records.ts'
import { lockSource } from '../store/sources/locked-source.ts'

/** Deletes the records with some keys, or those that pass a filter, and everything derived from them. */
export const deleteRecords: Operation<'deleteRecords'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    // Locked before the records are selected, so that none of them changes in between.
    const source = await lockSource(tx.query, caller.workspaceId, params.data_source_id)
    // The number of deleted records would tell what restricted records contain.
    if (body.filter !== undefined) assertReadable(source)
    const { seen, recordIds, nextCursor } = await selectRecords(tx.query, source, body)
    const { records: deleted } = await eraseRecords(tx.query, source, recordIds)
    await announceRows(tx, source)
    // Neither keys nor values: the audit log would keep what is erased here.
    tx.audit({ changes: { deleted, selected_by: body.keys === undefined ? 'filter' : 'keys' } })
    return {
      data_source_id: params.data_source_id,
      counts: { seen, deleted },
      record_count: source.recordCount - deleted,
      next_cursor: nextCursor,
    }
  })

/** Deletes a record and everything derived from it. */
export const deleteRecord: Operation<'deleteRecord'> = ({ database }, caller, { params: { record_id: id } }) =>
  database.transact(caller, async (tx) => {
    const { db, query } = tx
    const { record } = await findRecord(db, caller.workspaceId, id)
    const source = await lockSource(query, caller.workspaceId, record.dataSourceId)
    const { records } = await eraseRecords(query, source, [id])
    if (records === 0) throw problem('not_found') // another request deleted it before the lock
    await announceRows(tx, source)
    return { id }
  })
