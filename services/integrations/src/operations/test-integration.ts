import { type ConnectionError, problem } from '@wp/contracts'
import { OutboundError, redactIntegrationSecrets } from '@wp/outbound'
import { recordConnectionResult } from '../connections/connection-state.ts'
import { openSecrets } from '../connections/seal-secrets.ts'
import type { Context, Operation } from '../context.ts'
import { ConnectionFailure, toConnectionFailure } from '../providers/connection-failure.ts'
import { providers } from '../providers/index.ts'
import type { Connection } from '../providers/provider.ts'
import { findIntegration, type Integration, lockIntegration } from '../store/integrations.ts'
import { integrationView } from './read-integrations.ts'

export const testIntegration: Operation<'testIntegration'> = async (context, caller, { params }) => {
  const { database, now } = context
  const tested = await database.read(caller, (db) => findIntegration(db, caller.workspaceId, params.integration_id))
  if (tested.status === 'disconnected') throw problem('integration_disconnected')
  const startedMs = now()
  const failure = await runTest(context, tested)
  const at = new Date(now())
  return database.transact(caller, async (tx) => {
    const row = await lockIntegration(tx, caller.workspaceId, params.integration_id)
    // An integration changed during the test is another connection: the result is not about it.
    const updated =
      row.revision === tested.revision ? await recordConnectionResult(tx, row, resultOf(failure), at) : row
    tx.audit(
      failure === undefined
        ? { changes: { ok: true } }
        : { outcome: 'failure', changes: { ok: false, reason: failure.code } },
    )
    const error: ConnectionError | null =
      failure === undefined ? null : { code: failure.code, message: failure.message, at: at.toISOString() }
    return { ...integrationView(updated), ok: error === null, error, latency_ms: Math.round(at.getTime() - startedMs) }
  })
}

/** Tests a connection. @returns the failure, undefined on success */
async function runTest(
  { sealer, providerAccess, testTimeoutMs }: Context,
  row: Integration,
): Promise<ConnectionFailure | undefined> {
  const secrets = openSecrets(sealer, row.integrationId, row.secrets)
  const connection = providers[row.provider].parse(row.config, secrets, providerAccess)
  try {
    await testConnection(connection, row.workspaceId, testTimeoutMs)
    return undefined
  } catch (error) {
    const { code, message } = toConnectionFailure(error)
    // The message may quote the server, which may repeat the secrets.
    const user = typeof row.config.user === 'string' ? row.config.user : undefined
    const shown = redactIntegrationSecrets(Object.values(secrets), { user, isTruncated: true })(message)
    return new ConnectionFailure(code, shown, { cause: error })
  }
}

/**
 * Tests a connection with a time limit for all of its steps together.
 * @throws ConnectionFailure, OutboundError; `timeout` when the time is over
 */
export async function testConnection(connection: Connection, workspaceId: string, timeoutMs: number): Promise<void> {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new OutboundError('timeout', `The connection test took longer than ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    await connection.test({ workspaceId, signal: controller.signal })
  } finally {
    clearTimeout(timer)
  }
}

const resultOf = (failure: ConnectionFailure | undefined) =>
  failure === undefined
    ? { result: 'ok' as const }
    : { result: 'failed' as const, code: failure.code, message: failure.message, isPermanent: true }
