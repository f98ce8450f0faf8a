import { IdentityHeartbeat, identityHeartbeatSubject } from '@wp/contracts'
import type { Bus } from '@wp/events'
import { waitAtMost } from '@wp/runtime'
import {
  type ChangeLogFollower,
  type ChangeLogFollowerOptions,
  createChangeLogFollower,
} from './change-log-follower.ts'

/** Follows the change log that auth publishes on the bus. */
export interface FollowedChangeLog extends Pick<ChangeLogFollower, 'provenUntil'> {
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

const checkMs = 1_000
const startTimeoutMs = 1_000

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
