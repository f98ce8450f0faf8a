import type { DestinationConfig, DestinationErrorCode, EventFilter, eventDestinations, ResultOf } from '@wp/contracts'
import type { DestinationRow } from '../store/destinations/destinations.ts'
import { toIsoString, toStringRecord } from '../views.ts'

/** Returns the public form of an event destination. */
export function destinationView(row: DestinationRow, nowMs: number): ResultOf<typeof eventDestinations.getDestination> {
  const isActive = row.status === 'active'
  return {
    destination_id: row.destinationId,
    name: row.name,
    content: row.content === 'audit' ? 'audit' : 'events',
    events: row.events,
    filter: row.filter as EventFilter | null, // only written in this shape
    format: row.format === 'ocsf' ? 'ocsf' : 'json',
    config: row.config as DestinationConfig, // only written in this shape
    status: isActive ? 'active' : 'disabled',
    disabled_reason: row.disabledReason,
    disabled_at: toIsoString(row.disabledAt),
    position: Number(row.position),
    health: healthOf(row, nowMs),
    metadata: toStringRecord(row.metadata),
    external_id: row.externalId,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

function healthOf(row: DestinationRow, nowMs: number) {
  const isActive = row.status === 'active'
  const isWaiting = isActive && row.nextAttemptAt !== null && row.nextAttemptAt.getTime() > nowMs
  return {
    state: isActive
      ? row.consecutiveFailures > 0
        ? ('failing' as const)
        : ('healthy' as const)
      : ('disabled' as const),
    last_success_at: toIsoString(row.lastSuccessAt),
    last_failure_at: toIsoString(row.lastFailureAt),
    last_error:
      row.lastErrorCode === null
        ? null
        : { code: row.lastErrorCode as DestinationErrorCode, message: row.lastErrorMessage ?? '' }, // only written from this list
    consecutive_failures: row.consecutiveFailures,
    lag: Math.max(0, row.headSeq - Number(row.position)),
    next_attempt_at: isWaiting ? toIsoString(row.nextAttemptAt) : null,
    written: Number(row.writtenCount),
    skipped: Number(row.skippedCount),
  }
}
