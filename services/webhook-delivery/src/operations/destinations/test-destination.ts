import { newId } from '@wp/database'
import type { Operation } from '../../context.ts'
import { toFailure, withSink } from '../../destinations/write-destination.ts'
import { findDestination } from '../../store/destinations/destinations.ts'

/** Writes one record that is not of the log, with the position 0. It changes neither the position nor the health. */
export const testDestination: Operation<'testDestination'> = async (context, caller, { params }) => {
  const { database, settings, now } = context
  const { workspaceId } = caller
  const row = await database.read(caller, (db) => findDestination(db, workspaceId, params.destination_id))
  const occurredAt = new Date(now())
  const [id, kind] = [newId('evt'), 'EVENT_DESTINATION_TEST']
  const test = { seq: 0, id, event: kind, workspace_id: workspaceId, occurred_at: occurredAt.toISOString() }
  const record = { seq: 0, id, kind, occurredAt, text: JSON.stringify(test) }
  const content = row.content === 'audit' ? 'audit' : 'events'
  const signal = AbortSignal.timeout(settings.attemptTimeoutMs)
  const result = await withSink(context, row, signal, (sink) =>
    sink.write({ destinationId: row.destinationId, workspaceId, content, isTest: true, records: [record] }),
  ).then(
    (response) => ({ ok: true, error: null, response }),
    (thrown: unknown) => ({ ok: false, error: errorOf(thrown), response: null }),
  )
  return database.transact(caller, async (tx) => {
    tx.audit(
      result.error === null
        ? { changes: { ok: true } }
        : { outcome: 'failure', changes: { ok: false, reason: result.error.code } },
    )
    return { ...result, duration_ms: Math.round(now() - occurredAt.getTime()) }
  })
}

function errorOf(thrown: unknown) {
  const { code, message } = toFailure(thrown)
  return { code: code === 'too_large' ? ('refused' as const) : code, message }
}
