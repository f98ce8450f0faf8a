import type { ConnectionError, ConnectionErrorCode, IntegrationStatus } from '@wp/contracts'
import type { Tx } from '../store/client.ts'
import { type Integration, updateIntegration } from '../store/integrations.ts'

export interface ConnectionState {
  status: IntegrationStatus
  lastError: ConnectionError | null
  lastCheckedAt: Date | null
}

/** The result of a connection test, or of a use by a service. */
export type ConnectionResult =
  | { result: 'ok' }
  /** `isPermanent`: the connection cannot work until a user changes it. */
  | { result: 'failed'; code: ConnectionErrorCode; message: string; isPermanent: boolean }

/** Consecutive successful uses update the row at most this often. */
const minUpdateIntervalMs = 60_000

/**
 * Returns the state of an integration after a test or use. A temporary failure, such as a provider that is unavailable
 * for a minute, is stored as the last error but keeps the status.
 *
 * @returns undefined if nothing has to be written; `event` if the status changed
 */
export function nextConnectionState(
  before: ConnectionState,
  result: ConnectionResult,
  at: Date,
): (ConnectionState & { event?: 'connected' | 'error' }) | undefined {
  if (before.status === 'disconnected') return undefined
  if (result.result === 'ok') {
    const isChange = before.status !== 'connected' || before.lastError !== null
    const { lastCheckedAt } = before
    const isOld = lastCheckedAt === null || at.getTime() - lastCheckedAt.getTime() >= minUpdateIntervalMs
    if (!isChange && !isOld) return undefined
    const next = { status: 'connected' as const, lastError: null, lastCheckedAt: at }
    return before.status === 'connected' ? next : { ...next, event: 'connected' }
  }
  const { code, message, isPermanent } = result
  const lastError = { code, message, at: at.toISOString() }
  if (!isPermanent) return { status: before.status, lastError, lastCheckedAt: at }
  const next = { status: 'error' as const, lastError, lastCheckedAt: at }
  return before.status === 'error' ? next : { ...next, event: 'error' }
}

/**
 * Records the result of a test or use of a locked integration. Emits INTEGRATION_CONNECTED or INTEGRATION_FAILED when
 * the status changes.
 */
export async function recordConnectionResult(
  tx: Tx,
  row: Integration,
  result: ConnectionResult,
  at: Date,
): Promise<Integration> {
  const next = nextConnectionState(row, result, at)
  if (next === undefined) return row
  const { event, lastError, ...state } = next
  const { integrationId: id, name, provider } = row
  if (event === 'connected')
    tx.emit({ kind: 'INTEGRATION_CONNECTED', data: { id, status: 'connected', name, provider } })
  if (event === 'error') {
    const reason = lastError?.message ?? ''
    tx.emit({ kind: 'INTEGRATION_FAILED', data: { id, status: 'error', name, provider, reason } })
  }
  return updateIntegration(tx.db, row, { ...state, lastError })
}
