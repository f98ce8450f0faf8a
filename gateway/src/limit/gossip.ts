import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bus } from '@wp/events'
import type { Logger } from '@wp/service'
import { createMembershipTracker } from './membership.ts'
import { decodeUpdate, encodeUpdate, type Message, readMessage } from './messages.ts'
import { createRateLimiter, type SharedRateLimiter } from './rate-limiter.ts'

interface Options {
  bus: Pick<Bus, 'isConnected' | 'publish' | 'subscribe' | 'onConnect'>
  shard: string
  log: Pick<Logger, 'warn'>
  /** Milliseconds since 1970. */
  now: () => number
  /** How long what is admitted may wait until the others are told. Left out: only when `step` and `beat` are called. */
  intervalMs?: number
}

/** Counts that several edges keep together, by telling each other what they admitted (core NATS; never on a request's way). */
export interface Gossip {
  /** Windows counted apart from all others. @param name the same at every edge */
  createLimiter(name: string, entries?: number): SharedRateLimiter
  /** Comes to the others; resolves when those who live have told and given what there is, or after a second. */
  join(): Promise<void>
  /** Tells what is new. */
  publishUpdates(): void
  /** Says that this edge lives. */
  publishHeartbeat(): void
  /** Other edges that live. */
  readonly peerCount: number
  /** Tells the rest, and leaves what is left to the others. */
  close(): void
}

const beatMs = 1000
/** Own beats that did not come back: the broker may be gone without a word. */
const maxUnechoedBeats = 2
/** How long one that comes waits for what the others have to tell; some may be of a version that does not say it has. */
const joinTimeoutMs = 1000
/** Bounds what one step costs and what one message weighs (about 25 KB); the rest waits for the next. */
const maxUpdatesPerStep = 2000
const maxUpdatesPerMessage = 250

export function createGossip({ bus, shard, log, now, intervalMs }: Options): Gossip {
  const subject = `limits.${shard}`
  const self = randomBytes(6).toString('base64url')
  const members = createMembershipTracker(self, now)
  const limiters = new Map<string, SharedRateLimiter>()
  const echo = Promise.withResolvers<void>()
  /** Who has told everything since this edge came. */
  const toldBy = new Set<string>()
  let isAsked = false
  let unechoed = 0
  let stepping: NodeJS.Timeout | undefined
  let warned = false
  let closed = false

  const say = (kind: 'beat' | 'hello' | 'here' | 'told' | 'bye') => publish({ kind, edge: self, at: now() })
  const touchAll = (isNews: boolean) => limiters.forEach((table) => void table.touchAll(isNews))

  function publish(message: Message): void {
    try {
      bus.publish(subject, message)
    } catch (error) {
      // what is lost is told again after the broker is back; until then each has its part
      log.warn({ err: error }, 'the other edges could not be told of limits')
    }
  }

  function wake(): void {
    if (intervalMs !== undefined && !closed) stepping ??= setTimeout(step, intervalMs).unref()
  }

  function step(): void {
    stepping = undefined
    if (closed) return
    for (const [of, table] of limiters) {
      const news = table.takeUpdates(maxUpdatesPerStep, bus.isConnected)
      for (let at = 0; members.hasPeers && at < news.length; at += maxUpdatesPerMessage) {
        const told = news.slice(at, at + maxUpdatesPerMessage).map(encodeUpdate)
        publish({ kind: 'counts', edge: self, at: now(), of, told })
      }
      if (table.hasTouched) wake()
    }
    if (!isAsked || [...limiters.values()].some((table) => table.hasTouched)) return
    isAsked = false
    say('told')
  }

  function beat(): void {
    unechoed += 1
    say('beat')
  }

  function arrive(): void {
    members.rejoin()
    say('hello')
    touchAll(true)
  }

  function hearSelf(kind: unknown): void {
    if (kind !== 'beat' && kind !== 'hello') return
    if (unechoed >= maxUnechoedBeats) arrive()
    unechoed = 0
    echo.resolve()
    if (kind === 'beat' && members.recordEcho()) touchAll(false)
  }

  function hear(message: Message): void {
    const { kind, edge, at } = message
    if (kind === 'bye') {
      if (members.removePeer(edge)) touchAll(false)
      return
    }
    const isNew = members.recordPeer(edge, at)
    if (isNew || kind === 'hello') {
      say('here')
      touchAll(true)
      isAsked = true
      wake()
    }
    if (kind === 'told') toldBy.add(edge)
    if (kind === 'counts') limiters.get(message.of)?.applyUpdates(edge, message.told.map(decodeUpdate))
  }

  const subscription = bus.subscribe(subject, (data) => {
    const { edge, kind }: { edge?: unknown; kind?: unknown } = Object(data)
    if (edge === self) return void hearSelf(kind)
    const message = readMessage(data)
    if (message !== undefined) hear(message)
    else if (!warned) log.warn({}, 'what another edge says of limits cannot be read')
    warned ||= message === undefined
  })
  const forget = bus.onConnect(arrive)
  const beating = intervalMs === undefined ? undefined : setInterval(beat, beatMs).unref()

  return {
    createLimiter(name, entries) {
      const table = createRateLimiter(members, now, wake, entries)
      limiters.set(name, table)
      return table
    },
    async join() {
      if (!bus.isConnected) return
      arrive()
      await Promise.race([echo.promise, pause(200)])
      await pause(25)
      const isUntold = () => members.all().some((edge) => edge !== self && !toldBy.has(edge))
      for (let waitedMs = 0; intervalMs !== undefined && isUntold() && waitedMs < joinTimeoutMs; waitedMs += 5)
        await pause(5)
    },
    publishUpdates: step,
    publishHeartbeat: beat,
    get peerCount() {
      return members.all().length - 1
    },
    close() {
      clearTimeout(stepping)
      clearInterval(beating)
      if (members.hasPeers) while ([...limiters.values()].some((table) => table.hasTouched)) step()
      closed = true
      clearTimeout(stepping)
      say('bye')
      forget()
      subscription.unsubscribe()
    },
  }
}
