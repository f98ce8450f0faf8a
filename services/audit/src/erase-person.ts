import type { Database } from '@wp/database'
import { eraseRequestContext } from '@wp/events'
import { operatorCaller } from './operator-caller.ts'
import { deleteExports, type ErasedActor, erasePersonalData, type RecordCursor } from './store/erasure.ts'

/** Records of a transaction. */
const batchSize = 10_000

export interface ErasureReport {
  /** Records whose personal data were erased; 0 if they had been erased before. */
  records: number
  /** Contents of exports that were deleted. */
  exports: number
}

/**
 * Erases the personal data of a person in the audit log of a workspace: in the records of their actions, in exports and
 * in events on their way. The records remain, and so does the id of the actor; the chain verifies as before. A record
 * of the erasure is added. Can be repeated.
 *
 * @param database with the role wp_audit_erasure
 */
export async function erasePerson(database: Pick<Database, 'transact'>, actor: ErasedActor): Promise<ErasureReport> {
  const caller = operatorCaller('audit-erasure', actor.workspaceId)
  let records = 0
  let after: RecordCursor | undefined
  do {
    const position: RecordCursor | undefined = after
    const { last, erased } = await database.transact(caller, ({ query }) =>
      erasePersonalData(query, actor, { after: position, limit: batchSize }),
    )
    records += erased
    after = last
  } while (after !== undefined)
  // After the records, so that an export that begins now finds nothing of the person.
  return await database.transact(caller, async (tx) => {
    const { query } = tx
    await eraseRequestContext(query, actor)
    const report = { records, exports: await deleteExports(query, actor) }
    tx.emitAudit({
      action: 'audit_log.personal_data_erased',
      targets: [{ type: 'user', id: actor.actorId }],
      changes: { ...report },
    })
    return report
  })
}
