import { randomBytes } from 'node:crypto'
import type { Bus } from '@wp/events'
import { type Log, pause } from '@wp/runtime'
import { hasPeers } from '../membership.ts'
import { createRateLimiter, type SharedRateLimiter } from '../rate-limiter.ts'
import {
  type GossipEffect,
  type GossipInput,
  type GossipState,
  initialGossipState,
  isSynced,
  nextGossipState,
} from './gossip-state.ts'
import { decodeMessage, encodeMessage, type Message, peekMessage } from './message-codec.ts'

const heartbeatMs = 1000
/** Time limits of `join` for the delivery of its own message, and then for the first replies. */
const echoTimeoutMs = 200
const replyGraceMs = 25
const syncPollMs = 5
/** Bounds for the cost of one step and the size of one message (about 25 KB). What is left follows in the next step. */
const maxUpdatesPerStep = 2000
const maxUpdatesPerMessage = 250

/** Creates the gossip of one edge. Owns the subscription and the timers; `nextGossipState` makes the decisions. */
export function createGossip(options: GossipOptions): Gossip {
  const gossip = new Gossip(options)
  gossip.start()
  return gossip
}

/**
 * Rate limiters that several edges share: each edge publishes its counts over core NATS, never as part of a request.
 */
export class Gossip {
  readonly #options: GossipOptions
  readonly #subject: string
  readonly #self: string
  readonly #limiters = new Map<string, SharedRateLimiter>()
  #state: GossipState
  #stepTimer: NodeJS.Timeout | undefined
  #heartbeatTimer: NodeJS.Timeout | undefined
  #isClosed = false
  #unsubscribe = () => {}

  constructor(options: GossipOptions) {
    this.#options = options
    this.#subject = `limits.${options.shard}`
    this.#self = options.edgeId ?? randomBytes(6).toString('base64url')
    this.#state = initialGossipState(this.#self, options.now())
  }

  start(): void {
    const { bus, intervalMs } = this.#options
    const subscription = bus.subscribe(this.#subject, (data) => this.#receive(data))
    const removeListener = bus.onConnect(() => this.#dispatch({ kind: 'connected' }))
    this.#unsubscribe = () => {
      removeListener()
      subscription.unsubscribe()
    }
    if (intervalMs !== undefined) this.#heartbeatTimer = setInterval(this.publishHeartbeat, heartbeatMs).unref()
  }

  /** Creates a limiter with keys of its own. @param name the same at every edge */
  createLimiter(name: string, maxKeys?: number): SharedRateLimiter {
    const limiter = createRateLimiter({
      membership: () => this.#state.membership,
      now: this.#options.now,
      onQueued: () => this.#scheduleStep(),
      ...(maxKeys === undefined ? {} : { maxKeys }),
    })
    this.#limiters.set(name, limiter)
    return limiter
  }

  /** Joins the other edges. Resolves when all live edges have published their counts, after a second at the latest. */
  async join(): Promise<void> {
    if (!this.#options.bus.isConnected) return
    this.#dispatch({ kind: 'connected' })
    for (let waitedMs = 0; this.#state.awaitsJoinEcho && waitedMs < echoTimeoutMs; waitedMs += syncPollMs)
      await pause(syncPollMs)
    await pause(replyGraceMs)
    // The time is limited because a peer of an older version may not send `synced`.
    const { intervalMs, syncTimeoutMs = 1_000 } = this.#options
    if (intervalMs === undefined) return
    for (let waitedMs = 0; !isSynced(this.#state) && waitedMs < syncTimeoutMs; waitedMs += syncPollMs)
      await pause(syncPollMs)
  }

  /** Number of other live edges. */
  get peerCount(): number {
    return this.#state.membership.peers.size
  }

  publishHeartbeat = (): void => this.#dispatch({ kind: 'heartbeat_due' })

  publishUpdates(): void {
    clearTimeout(this.#stepTimer)
    this.#stepTimer = undefined
    if (this.#isClosed) return
    for (const [name, limiter] of this.#limiters) {
      const updates = limiter.takeUpdates(maxUpdatesPerStep, this.#options.bus.isConnected)
      for (let index = 0; hasPeers(this.#state.membership) && index < updates.length; index += maxUpdatesPerMessage) {
        const batch = updates.slice(index, index + maxUpdatesPerMessage)
        this.#publish({ kind: 'counts', ...this.#sender(), limiter: name, updates: batch })
      }
      if (limiter.hasQueuedUpdates) this.#scheduleStep()
    }
    this.#dispatch({ kind: 'updates_published', hasQueuedUpdates: this.#hasQueuedUpdates() })
  }

  /** Publishes the remaining counts and leaves; the other edges share what this one had left. */
  close(): void {
    clearTimeout(this.#stepTimer)
    clearInterval(this.#heartbeatTimer)
    while (hasPeers(this.#state.membership) && this.#hasQueuedUpdates()) this.publishUpdates()
    this.#isClosed = true
    clearTimeout(this.#stepTimer)
    this.#dispatch({ kind: 'closing' })
    this.#unsubscribe()
  }

  #receive(data: unknown): void {
    const { edge, signal } = peekMessage(data)
    if (edge === this.#self) {
      this.#dispatch({ kind: 'own_message', signal })
      return
    }
    const message = decodeMessage(data)
    this.#dispatch(message === undefined ? { kind: 'malformed_message' } : { kind: 'peer_message', message })
  }

  #dispatch(input: GossipInput): void {
    const { state, effects } = nextGossipState(this.#state, input, this.#options.now())
    // set first: an effect can dispatch again when the bus delivers synchronously
    this.#state = state
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: GossipEffect): void {
    switch (effect.kind) {
      case 'publish':
        this.#publish({ kind: effect.signal, ...this.#sender() })
        break
      case 'enqueue_all':
        for (const limiter of this.#limiters.values()) limiter.enqueueAll(effect.markChanged)
        break
      case 'schedule_step':
        this.#scheduleStep()
        break
      case 'publish_updates':
        this.publishUpdates()
        break
      case 'apply_updates':
        this.#limiters.get(effect.limiter)?.applyUpdates(effect.edge, effect.updates)
        break
      case 'report_malformed':
        this.#options.log.warn({ event: 'rate_limit_gossip.malformed' }, 'malformed rate-limit message ignored')
    }
  }

  #publish(message: Message): void {
    const { bus, log } = this.#options
    try {
      bus.publish(this.#subject, encodeMessage(message))
    } catch (err) {
      // everything is published again after the broker is back; until then each edge admits its allotment
      log.warn({ event: 'rate_limit_gossip.publish_failed', err }, 'failed to publish rate-limit counts')
    }
  }

  #sender = () => ({ edge: this.#self, sentAtMs: this.#options.now() })

  #scheduleStep(): void {
    const { intervalMs } = this.#options
    if (intervalMs === undefined || this.#isClosed) return
    this.#stepTimer ??= setTimeout(() => this.publishUpdates(), intervalMs).unref()
  }

  #hasQueuedUpdates(): boolean {
    return [...this.#limiters.values()].some((limiter) => limiter.hasQueuedUpdates)
  }
}

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
