import type { ConnectionError, ConnectionErrorCode, IntegrationStatus } from '@wp/contracts'

/** How an integration stands. */
export interface Standing {
  status: IntegrationStatus
  lastError: ConnectionError | null
  lastCheckedAt: Date | null
}

/** How a test or a use went. */
export type Outcome =
  | { outcome: 'ok' }
  /** `isFinal`: nothing will go well until somebody changes something. */
  | { outcome: 'failed'; code: ConnectionErrorCode; message: string; isFinal: boolean }

/** A use that goes as the one before is noted no more often. */
const noteEveryMs = 60_000

/**
 * What becomes of an integration by how a test or use went. A trouble that may pass by itself, as when a provider is
 * down for a minute, is noted but leaves it connected.
 *
 * @returns undefined where there is nothing to write; `event` where it changed for those who hear of it
 */
export function standingAfter(
  before: Standing,
  outcome: Outcome,
  at: Date,
): (Standing & { event?: 'connected' | 'error' }) | undefined {
  if (before.status === 'disconnected') return undefined
  if (outcome.outcome === 'ok') {
    const isNews = before.status !== 'connected' || before.lastError !== null
    const isOld = before.lastCheckedAt === null || at.getTime() - before.lastCheckedAt.getTime() >= noteEveryMs
    if (!isNews && !isOld) return undefined
    const after = { status: 'connected' as const, lastError: null, lastCheckedAt: at }
    return before.status === 'connected' ? after : { ...after, event: 'connected' }
  }
  const { code, message, isFinal } = outcome
  const lastError = { code, message, at: at.toISOString() }
  if (!isFinal) return { status: before.status, lastError, lastCheckedAt: at }
  const after = { status: 'error' as const, lastError, lastCheckedAt: at }
  return before.status === 'error' ? after : { ...after, event: 'error' }
}
