import type { data, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findRecord } from '../store/records/records.ts'
import { recordView } from '../views.ts'

export const getRecord: Operation<typeof data.getRecord, Context> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => {
    const { record, source } = await findRecord(db, caller.workspaceId, params.record_id)
    return recordView(record, source.config)
  })
