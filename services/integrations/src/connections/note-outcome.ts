import type { Transaction } from '@wp/database'
import type { PrismaClient } from '#db'
import { changeIntegration, type Integration } from '../store/integrations.ts'
import { type Outcome, standingAfter } from './standing.ts'

/** Writes down how a test or use of the locked integration went, and tells the workspace's others where that is news. */
export async function noteOutcome(
  tx: Transaction<PrismaClient>,
  row: Integration,
  outcome: Outcome,
  at: Date,
): Promise<Integration> {
  const after = standingAfter(row, outcome, at)
  if (after === undefined) return row
  const { event, lastError, ...standing } = after
  const { integrationId: id, provider } = row
  if (event === 'connected') tx.emit({ kind: 'INTEGRATION_CONNECTED', data: { id, status: 'connected', provider } })
  if (event === 'error') {
    const reason = lastError?.message ?? ''
    tx.emit({ kind: 'INTEGRATION_FAILED', data: { id, status: 'error', provider, reason } })
  }
  return changeIntegration(tx.db, row, { ...standing, lastError })
}
