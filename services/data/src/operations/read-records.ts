import type { Operation } from '../context.ts'
import { assertReadable } from '../privacy/record-access.ts'
import { inIndexOrder } from '../store/records/record-keys.ts'
import { findRecord, findRecords } from '../store/records/records.ts'
import { findSource } from '../store/sources/sources.ts'
import { recordView } from '../views.ts'

export const getRecord: Operation<'getRecord'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => {
    const { record, source } = await findRecord(db, caller.workspaceId, params.record_id)
    assertReadable(source)
    return recordView(record, source.config)
  })

export const listRecords: Operation<'listRecords'> = async ({ database }, { workspaceId }, { params, query }) => {
  const {
    source: { config },
    items,
    nextCursor,
  } = await database.read({ workspaceId }, async (db, sql) => {
    const source = await findSource(db, workspaceId, params.data_source_id)
    assertReadable(source)
    return { source, ...(await inIndexOrder(sql, () => findRecords(db, workspaceId, params.data_source_id, query))) }
  })
  return { items: items.map((record) => recordView(record, config)), nextCursor }
}
