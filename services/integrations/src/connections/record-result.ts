import type { Tx } from '../store/client.ts'
import { type Integration, updateIntegration } from '../store/integrations.ts'
import { type ConnectionResult, nextConnectionState } from './connection-state.ts'

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
