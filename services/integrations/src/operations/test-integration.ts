import { type ConnectionError, type integrations, type Operation, problem } from '@wp/contracts'
import { type ConnectionFailure, failureOf } from '../connections/failure.ts'
import { noteOutcome } from '../connections/note-outcome.ts'
import { openSecrets } from '../connections/secrets.ts'
import type { Context } from '../context.ts'
import { providers } from '../providers/index.ts'
import { findIntegration, type Integration, lockIntegration } from '../store/integrations.ts'
import { integrationView } from '../views.ts'

export const testIntegration: Operation<typeof integrations.testIntegration, Context> = async (
  context,
  caller,
  { params: { integration_id: id } },
) => {
  const { database, now } = context
  const tested = await database.read(caller, (db) => findIntegration(db, caller.workspaceId, id))
  if (tested.status === 'disconnected') throw problem('integration_disconnected')
  const startedMs = now()
  const failure = await tryOut(context, tested)
  const at = new Date(now())
  return database.transact(caller, async (tx) => {
    const row = await lockIntegration(tx, caller.workspaceId, id)
    // What was changed since is another connection than the one that was tried.
    const after = row.revision === tested.revision ? await noteOutcome(tx, row, outcomeOf(failure), at) : row
    tx.audit(
      failure === undefined
        ? { changes: { ok: true } }
        : { outcome: 'failure', changes: { ok: false, reason: failure.code } },
    )
    const error: ConnectionError | null =
      failure === undefined ? null : { code: failure.code, message: failure.message, at: at.toISOString() }
    return { ...integrationView(after), ok: error === null, error, latency_ms: Math.round(at.getTime() - startedMs) }
  })
}

/** @returns why it failed */
async function tryOut({ sealer, outside }: Context, row: Integration): Promise<ConnectionFailure | undefined> {
  const secrets = openSecrets(sealer, row.integrationId, row.secrets)
  const connection = providers[row.provider].read(row.config, secrets, outside)
  try {
    await connection.test()
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}

const outcomeOf = (failure: ConnectionFailure | undefined) =>
  failure === undefined
    ? { outcome: 'ok' as const }
    : { outcome: 'failed' as const, code: failure.code, message: failure.message, isFinal: true }
