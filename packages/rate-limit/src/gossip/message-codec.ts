import { z } from 'zod'
import type { LedgerUpdate } from '../ledger/ledger-update.ts'

/** A message without content: its kind and its sender say everything. README.md describes each. */
export type Signal = keyof typeof wireSignals

/** A message between edges. */
export type Message =
  | { kind: Signal; edge: string; sentAtMs: number }
  | { kind: 'counts'; edge: string; sentAtMs: number; limiter: string; updates: readonly LedgerUpdate[] }

/** The kinds as they are sent. Fixed: edges of the previous version read them during a rolling update. */
const wireSignals = { heartbeat: 'beat', join: 'hello', welcome: 'here', synced: 'told', leave: 'bye' } as const
const wireKinds = ['beat', 'hello', 'here', 'told', 'bye'] as const

const count = z.int().min(0)
const edge = z.string().min(1).max(40)

/** A `LedgerUpdate` by position, since up to 250 of them travel in one message. */
const WireUpdate = z.tuple([
  z.string().max(200), // key
  count, // window
  count, // quota
  count.min(1), // partCount
  count, // membershipHash
  z.int(), // allotted; negative after a quota was lowered
  count, // spent
  count, // totalSpent
  count, // ratePerMinute
  z.array(z.tuple([edge, count, count])).max(1000), // transfers
])

const WireMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(wireKinds), edge, at: z.number() }),
  z.object({ kind: z.literal('counts'), edge, at: z.number(), of: z.string(), told: z.array(WireUpdate).max(1000) }),
])

/** Returns the JSON value to send. */
export function encodeMessage(message: Message): z.input<typeof WireMessage> {
  const { edge, sentAtMs: at } = message
  if (message.kind !== 'counts') return { kind: wireSignals[message.kind], edge, at }
  return { kind: 'counts', edge, at, of: message.limiter, told: message.updates.map(encodeUpdate) }
}

/** Returns undefined if the data is not a message. */
export function decodeMessage(data: unknown): Message | undefined {
  const parsed = WireMessage.safeParse(data)
  if (!parsed.success) return undefined
  const { edge, at: sentAtMs } = parsed.data
  if (parsed.data.kind === 'counts')
    return { kind: 'counts', edge, sentAtMs, limiter: parsed.data.of, updates: parsed.data.told.map(decodeUpdate) }
  const kind = signalOf(parsed.data.kind)
  return kind && { kind, edge, sentAtMs }
}

/** Reads the sender and the signal of a message without validating it; cheap enough for the edge's own messages. */
export function peekMessage(data: unknown): { edge: unknown; signal: Signal | undefined } {
  const { edge, kind }: { edge?: unknown; kind?: unknown } = Object(data)
  return { edge, signal: signalOf(kind) }
}

const signals: readonly Signal[] = ['heartbeat', 'join', 'welcome', 'synced', 'leave']

const signalOf = (wireKind: unknown): Signal | undefined => signals.find((signal) => wireSignals[signal] === wireKind)

function encodeUpdate(update: LedgerUpdate): z.input<typeof WireUpdate> {
  const { key, window, quota, partCount, membershipHash, allotted, spent, totalSpent, ratePerMinute } = update
  const transfers = update.transfers.map(([to, given, received]): [string, number, number] => [to, given, received])
  return [key, window, quota, partCount, membershipHash, allotted, spent, totalSpent, ratePerMinute, transfers]
}

function decodeUpdate(wireUpdate: z.output<typeof WireUpdate>): LedgerUpdate {
  const [key, window, quota, partCount, membershipHash, allotted, spent, totalSpent, ratePerMinute, transfers] =
    wireUpdate
  return { key, window, quota, partCount, membershipHash, allotted, spent, totalSpent, ratePerMinute, transfers }
}
