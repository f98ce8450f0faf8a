import {
  type IdentityChange,
  type IdentityChangePage,
  IdentityHeartbeat,
  identityHeartbeatSubject,
} from '@wp/contracts'
import type { Bus } from '@wp/events'
import { type Log, type Metrics, waitAtMost } from '@wp/runtime'
import type { Invalidations } from './invalidations.ts'

const checkMs = 1_000
const startTimeoutMs = 1_000

/** Applies the change log of auth to the cached identities, and knows until when they are proven to be current. */
export interface ChangeLogFollower {
  receive(heartbeat: IdentityHeartbeat): void
  /** Reads the log from auth if heartbeats are missing. Never rejects. */
  check(): Promise<void>
  /** Returns the uptime until which everything cached may be used, in milliseconds; it can be in the past. */
  provenUntil(): number
}

export interface ChangeLogFollowerOptions {
  /** Reads a page of the log from auth. @throws Problem while auth is unavailable */
  readChanges: (after: number) => Promise<IdentityChangePage>
  invalidations: Pick<Invalidations, 'add' | 'flush'>
  /** Monotonic milliseconds: the lifetime of an identity must not depend on adjustments of the clock. */
  uptime: () => number
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'count'>
}

/** Time without a heartbeat after which cached identities are no longer proven to be current. */
const heartbeatTimeoutMs = 3_000
/** Auth sends a heartbeat every second; after this time without one, the log is read instead. */
const readAfterMs = 1_500
/** Pages of one catch-up. An edge that missed more discards its cache, which costs auth less. */
const maxPages = 20

/**
 * Creates the follower. The position in the log only ever follows changes that were applied, so a lost, repeated or
 * delayed heartbeat is detected by its numbers. When the position is unknown, or the log does not go back to it, the
 * cache is flushed: a lookup may have been answered before a change that will never be received.
 *
 * Longer than most functions: all of its steps change the position.
 */
export function createChangeLogFollower(options: ChangeLogFollowerOptions): ChangeLogFollower {
  const { readChanges, invalidations, uptime, log, metrics } = options
  let position: number | undefined
  let provenAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  function startAt(latest: number): void {
    invalidations.flush()
    position = latest
  }

  function apply(changes: readonly IdentityChange[], from: number): void {
    for (const { number, type, id } of changes) if (number > from) invalidations.add({ [`${type}_id`]: id })
  }

  function prove(at: number): void {
    provenAt = Math.max(provenAt, at)
  }

  function readOnce(): Promise<void> {
    reading ??= catchUp()
      .catch((err: unknown) => {
        metrics.count('edge_identity_log_reads', { result: 'failed' })
        log.warn({ event: 'identity_log.read_failed', err, position }, 'failed to read the identity change log')
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  async function catchUp(): Promise<void> {
    for (let pages = 0; pages < maxPages; pages += 1) {
      if (!(await readPage())) return
    }
    metrics.count('edge_identity_log_reads', { result: 'too_far_behind' })
    log.warn({ event: 'identity_cache.flushed', position }, 'too many missed changes; identity cache flushed')
    invalidations.flush()
    position = undefined
  }

  /** @returns true if a further page may be read at once */
  async function readPage(): Promise<boolean> {
    const startedAt = uptime()
    const { status, position: readTo, changes } = await readChanges(position ?? unknownPosition)
    metrics.count('edge_identity_log_reads', { result: status })
    if (status === 'truncated') {
      if (position !== undefined)
        log.warn({ event: 'identity_cache.flushed', position }, 'change log truncated; identity cache flushed')
      startAt(readTo)
      return true
    }
    // heartbeats may have advanced the position in the time between
    const from = position ?? readTo
    apply(changes, from)
    position = Math.max(from, readTo)
    if (status === 'current') prove(startedAt)
    return status === 'more' && changes.length > 0
  }

  return {
    receive({ after, latest, is_complete: isComplete, changes }) {
      if (position === undefined) startAt(latest)
      else if (after > position || latest < position) return void readOnce()
      else {
        apply(changes, position)
        position = latest
      }
      if (isComplete) prove(uptime())
    },
    check: async () => {
      if (uptime() - provenAt >= readAfterMs) await readOnce()
    },
    provenUntil: () => provenAt + heartbeatTimeoutMs,
  }
}

/** No log contains it, so that auth answers with the latest position. */
const unknownPosition = Number.MAX_SAFE_INTEGER

/** Follows the change log that auth publishes on the bus. */
interface FollowedChangeLog extends Pick<ChangeLogFollower, 'provenUntil'> {
  /**
   * Reads the position of the log. The first heartbeat would discard what was cached before it, because the position
   * was not known. Never rejects; returns after a second without an answer.
   */
  start(): Promise<void>
  close(): void
}

interface FollowOptions extends ChangeLogFollowerOptions {
  bus: Pick<Bus, 'subscribe' | 'shard'>
}

export function followChangeLog({ bus, ...options }: FollowOptions): FollowedChangeLog {
  const follower = createChangeLogFollower(options)
  const subscription = bus.subscribe(identityHeartbeatSubject(bus.shard), (data) => {
    const heartbeat = IdentityHeartbeat.safeParse(data)
    if (heartbeat.success) follower.receive(heartbeat.data)
    else options.log.warn({ event: 'identity_log.heartbeat_rejected', data }, 'malformed heartbeat of the change log')
  })
  const timer = setInterval(() => void follower.check(), checkMs).unref()
  return {
    provenUntil: follower.provenUntil,
    start: async () => {
      await waitAtMost(startTimeoutMs, follower.check())
    },
    close() {
      clearInterval(timer)
      subscription.unsubscribe()
    },
  }
}
