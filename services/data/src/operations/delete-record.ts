import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { announceRows } from '../ingest/announce-rows.ts'
import { eraseRecords } from '../store/records/erase-records.ts'
import { findRecord } from '../store/records/records.ts'
import { lockSource } from '../store/sources/locked-source.ts'

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
