import type { Bus } from '@wp/events'
import type { Log } from '@wp/runtime'

export interface GossipOptions {
  bus: Pick<Bus, 'isConnected' | 'publish' | 'subscribe' | 'onConnect'>
  shard: string
  /** Id of this edge, different at each. Default: random. */
  edgeId?: string
  log: Pick<Log, 'warn'>
  /** Milliseconds since 1970. */
  now: () => number
  /**
   * Maximum delay before a count is published. Without it there are no timers: the owner calls `publishUpdates` and
   * `publishHeartbeat`.
   */
  intervalMs?: number
  /** Time limit of `join` for the counts of the peers, in ms. Default 1,000. */
  syncTimeoutMs?: number
}
