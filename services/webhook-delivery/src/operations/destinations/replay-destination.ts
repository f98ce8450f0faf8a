import { auditInternal, invalidField } from '@wp/contracts'
import type { Context, Operation } from '../../context.ts'
import {
  type DestinationRow,
  findDestination,
  lockDestination,
  setPosition,
} from '../../store/destinations/destinations.ts'
import { findEventPositions } from '../../store/destinations/event-log.ts'
import { requireContentScope } from './create-destination.ts'

/** Sets the position back to before the first record that is asked for, or the oldest one that is kept. */
export const replayDestination: Operation<'replayDestination'> = async (context, caller, { params, body }) => {
  const { database } = context
  const { workspaceId } = caller
  const found = await database.read(caller, (db) => findDestination(db, workspaceId, params.destination_id))
  requireContentScope(caller, found.content)
  const { oldest, head, firstSince } = await findPositions(context, caller, found.content, body.since)
  const asked = body.from_seq ?? firstSince
  const replayOf = (row: Pick<DestinationRow, 'destinationId' | 'position'>) => {
    const position = Number(row.position)
    if (body.from_seq !== undefined && body.from_seq > position + 1)
      throw invalidField('/from_seq', `must not be after the next record, which is ${position + 1}`)
    // A time after the position asks for nothing that was written.
    const from = Math.min(Math.max(asked, oldest), position + 1)
    const records = Math.max(0, head - from + 1)
    return { destination_id: row.destinationId, from_seq: from, records, is_shortened: asked < oldest }
  }
  if (body.dry_run) return replayOf(found)
  return database.transact(caller, async (tx) => {
    const row = await lockDestination(tx, workspaceId, params.destination_id)
    const started = replayOf(row)
    await setPosition(tx, row.destinationId, started.from_seq - 1)
    tx.audit({ changes: { from_seq: started.from_seq } })
    return started
  })
}

type Caller = Parameters<Operation<'replayDestination'>>[1]

async function findPositions(
  { database, internal }: Context,
  caller: Caller,
  content: string,
  since: string | undefined,
): Promise<{ oldest: number; head: number; firstSince: number }> {
  if (content === 'events')
    return database.read(caller, (_db, query) => findEventPositions(query, caller.workspaceId, since))
  const input = { params: {}, query: since === undefined ? {} : { since }, body: undefined }
  const found = await internal.callForCaller(caller, 'audit:read', auditInternal.findPosition, input)
  return { oldest: found.oldest, head: found.head, firstSince: found.first_since }
}
