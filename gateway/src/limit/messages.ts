import { z } from 'zod'
import type { LedgerUpdate } from './ledger.ts'

const count = z.int().min(0)
const edge = z.string().min(1).max(40)

const Told = z.tuple([
  z.string().max(200),
  count,
  count,
  count.min(1),
  count,
  z.int(),
  count,
  count,
  count,
  z.array(z.tuple([edge, count, count])).max(1000),
])

const Message = z.discriminatedUnion('kind', [
  /** I live; said every second, and only then, so that who is missing can be counted by it. */
  z.object({ kind: z.literal('beat'), edge, at: z.number() }),
  /** I come, or come back: tell me everything. */
  z.object({ kind: z.literal('hello'), edge, at: z.number() }),
  /** The answer to it. */
  z.object({ kind: z.literal('here'), edge, at: z.number() }),
  /** All that had been counted when somebody came has been told, and given what was due to them. */
  z.object({ kind: z.literal('told'), edge, at: z.number() }),
  z.object({ kind: z.literal('bye'), edge, at: z.number() }),
  z.object({ kind: z.literal('counts'), edge, at: z.number(), of: z.string(), told: z.array(Told).max(1000) }),
])

/** What edges say to each other. `at` is the sender's own clock. */
export type Message = z.output<typeof Message>

/** @returns undefined when it is none */
export function readMessage(data: unknown): Message | undefined {
  const read = Message.safeParse(data)
  return read.success ? read.data : undefined
}

export const encodeUpdate = (statement: LedgerUpdate): z.output<typeof Told> => {
  const {
    key,
    window,
    quota,
    parts,
    membershipHash: between,
    allotted: held,
    spent,
    total,
    rate,
    transfers: ties,
  } = statement
  return [
    key,
    window,
    quota,
    parts,
    between,
    held,
    spent,
    total,
    rate,
    ties.map(([to, given, taken]) => [to, given, taken]),
  ]
}

export const decodeUpdate = (told: z.output<typeof Told>): LedgerUpdate => {
  const [key, window, quota, parts, between, held, spent, total, rate, ties] = told
  return { key, window, quota, parts, membershipHash: between, allotted: held, spent, total, rate, transfers: ties }
}
