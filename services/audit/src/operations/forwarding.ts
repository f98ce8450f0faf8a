import { maxForwardedBytes } from '@wp/contracts'
import { rethrowAsUnavailable } from '@wp/database'
import type { Operation } from '../context.ts'
import type { RecordView } from '../exports/formats/export-format.ts'
import { formats } from '../exports/formats/index.ts'
import { findFirstSince, listHeadSeqs, readChainBounds } from '../store/positions.ts'
import { readAscending } from '../store/records.ts'
import { recordView } from '../views.ts'

/** Records of one statement: the texts of a page are bounded, and records may be large. */
const recordsPerRead = 250

/** Reads a page of the chain, which ends after the record with which its texts exceed the limit. */
export const readRecordsAfter: Operation<'readRecordsAfter'> = async (
  { database },
  caller,
  { query: { after, to, limit, format } },
) => {
  const { workspaceId } = caller
  const records: { seq: number; id: string; action: string; occurred_at: string; text: string }[] = []
  let bytes = 0
  let position = after
  while (records.length < limit && bytes < maxForwardedBytes) {
    const wanted = Math.min(recordsPerRead, limit - records.length)
    const read = await database.read(caller, (_db, query) =>
      readAscending(query, workspaceId, {}, { after: position, to, limit: wanted }),
    )
    for (const view of read.map(recordView)) {
      const text = textOf(view, workspaceId, format)
      const { seq, id, action, occurred_at } = view
      if (bytes < maxForwardedBytes) records.push({ seq, id, action, occurred_at, text })
      bytes += text.length
      position = seq
    }
    if (read.length < wanted) break
  }
  return { records }
}

/** A receiver of several workspaces tells their records apart by `workspace_id`; OCSF names it `tenant_uid`. */
const textOf = (view: RecordView, workspaceId: string, format: 'json' | 'ocsf'): string =>
  format === 'ocsf'
    ? formats.ocsf.line(view, workspaceId).trimEnd()
    : JSON.stringify({ workspace_id: workspaceId, ...view })

export const findPosition: Operation<'findPosition'> = async ({ database }, caller, { query: { since } }) =>
  database.read(caller, async (_db, query) => {
    const { oldest, head } = await readChainBounds(query, caller.workspaceId)
    const found = since === undefined ? undefined : await findFirstSince(query, caller.workspaceId, since)
    return { oldest, head, first_since: found ?? head + 1 }
  })

export const listHeads: Operation<'listHeads'> = async ({ database }, _caller, { body: { workspace_ids: ids } }) => ({
  heads: (await listHeadSeqs(database.background.worker, ids).catch(rethrowAsUnavailable)).map(
    ({ workspaceId, seq }) => ({ workspace_id: workspaceId, seq }),
  ),
})
