import type { audit, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listRecords } from '../store/records.ts'
import { recordView } from '../views.ts'

export const listLogs: Operation<typeof audit.listLogs, Context> = async (
  { database },
  caller,
  { query: parameters },
) => {
  const { limit, cursor, from, to, since = from, until = to, ...fields } = parameters
  const filter = { ...fields, since, until }
  const { items, nextCursor } = await database.read(caller, (_db, query) =>
    listRecords(query, caller.workspaceId, filter, { limit, cursor }),
  )
  return { items: items.map(recordView), nextCursor }
}
