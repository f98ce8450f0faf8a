import type { data, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findSource } from '../store/sources/sources.ts'
import { sourceView } from '../views.ts'

export const getSource: Operation<typeof data.getSource, Context> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => sourceView(await findSource(db, caller.workspaceId, params.data_source_id)))
