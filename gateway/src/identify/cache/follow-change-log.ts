import { IdentityHeartbeat, identityHeartbeatSubject } from '@wp/contracts'
import type { Bus } from '@wp/events'
import {
  type ChangeLogFollower,
  type ChangeLogFollowerOptions,
  createChangeLogFollower,
} from './change-log-follower.ts'

/** Follows the change log that auth publishes on the bus. */
export interface FollowedChangeLog extends Pick<ChangeLogFollower, 'provenUntil'> {
  close(): void
}

interface FollowOptions extends ChangeLogFollowerOptions {
  bus: Pick<Bus, 'subscribe' | 'shard'>
}

const checkMs = 1_000

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
    close() {
      clearInterval(timer)
      subscription.unsubscribe()
    },
  }
}
