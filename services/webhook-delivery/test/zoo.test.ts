import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Lookup } from '@wp/outbound'
import {
  type Behaviour,
  drip,
  endless,
  garbage,
  gzipBomb,
  halfAnswer,
  hang,
  hugeHeaders,
  type Receiver,
  type ReceiverTls,
  redirect,
  reset,
  respond,
  retryLater,
  startReceiver,
} from '@wp/testkit'
import { type Attempt, type Delivery, startWorld, type World } from './fixture/world.ts'

/** What becomes of the first attempt at a receiver, and why that is right. */
interface Fate {
  delivery: 'delivered' | 'pending' | 'failed'
  status: number | null
  error: string | null
  /** From the end of the attempt to the next, in seconds, with room for a busy machine; null: there is none. */
  again: [number, number] | null
  why: string
}

const retried: Pick<Fate, 'delivery' | 'again'> = { delivery: 'pending', again: [5, 16] }
const arrived: Pick<Fate, 'delivery' | 'again'> = { delivery: 'delivered', again: null }

const behaviours: Record<string, [Behaviour, Fate]> = {
  '200, after 0.4 s': [
    respond(200, { delayMs: 400 }),
    { ...arrived, status: 200, error: null, why: 'slow is not wrong' },
  ],
  hangs: [hang(), { ...retried, status: null, error: 'timeout', why: 'given up at the time limit' }],
  'drips its answer': [drip(), { ...retried, status: 200, error: 'timeout', why: 'one limit covers the body, too' }],
  resets: [reset(), { ...retried, status: null, error: 'reset', why: 'it may not have got it' }],
  'half an answer': [halfAnswer(), { ...retried, status: 200, error: 'reset', why: 'an answer cut short is none' }],
  'a gzip bomb': [gzipBomb(), { ...arrived, status: 200, error: 'encoding', why: 'taken, and nothing inflated' }],
  '64 MiB of answer': [endless(), { ...arrived, status: 200, error: null, why: 'taken; 64 KiB of it are read' }],
  'a header of 1 MiB': [hugeHeaders(), { ...retried, status: null, error: 'protocol', why: 'no head we would read' }],
  'no HTTP': [garbage(), { ...retried, status: null, error: 'protocol', why: 'nobody said it was taken' }],
  '302 to metadata': [redirect(), { ...retried, status: 302, error: null, why: 'never followed' }],
  '429, Retry-After: 30': [
    retryLater(429, 30),
    { delivery: 'pending', status: 429, error: null, again: [30, 46], why: 'no earlier than it says' },
  ],
  '503, Retry-After: a date': [
    retryLater(503, new Date(Date.now() + 120_000)),
    { delivery: 'pending', status: 503, error: null, again: [100, 155], why: 'no earlier than it says' },
  ],
  'answers 500': [respond(500), { ...retried, status: 500, error: null, why: 'retried' }],
  'answers 410': [
    respond(410),
    { delivery: 'failed', status: 410, error: null, again: null, why: 'gone: disabled at once' },
  ],
}

const badTls: ReceiverTls[] = ['self-signed', 'wrong-name', 'expired']
const untrusted: Fate = { ...retried, status: null, error: 'tls', why: 'nothing is sent to who cannot prove its name' }

/** Public when the subscription is made, inside our network when something is sent. */
const rebinding: Lookup = async (name) => {
  if (name !== 'rebinding.example') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  lookups += 1
  return [{ address: lookups === 1 ? '8.8.8.8' : '127.0.0.2', family: 4 }]
}
let lookups = 0

let world: World
let receivers: Receiver[]

beforeAll(async () => {
  world = await startWorld(
    { RETRY_SCHEDULE_SECONDS: '5,600', ATTEMPT_TIMEOUT_SECONDS: '4', LEASE_SECONDS: '8' },
    rebinding,
  )
  receivers = await Promise.all([startReceiver(), ...badTls.map((tls) => startReceiver({ tls }))])
})

afterAll(async () => {
  await world?.stop()
  for (const receiver of receivers ?? []) await receiver.close()
})

it('treats every animal of the zoo as it deserves', async () => {
  const [zoo, ...liars] = receivers
  if (zoo === undefined) throw new Error('there is no receiver')
  const kept = new Map<string, { webhookId: string; fate: Fate }>()
  const keep = async (name: string, endpoint: string, fate: Fate) =>
    kept.set(name, { webhookId: await world.subscribe({ endpoint, events: ['PLAN_CHANGED'] }), fate })
  for (const [index, [name, [behaviour, fate]]] of Object.entries(behaviours).entries()) {
    zoo.behave(behaviour, `/${index}`)
    await keep(name, zoo.url(`/${index}`), fate)
  }
  for (const [index, liar] of liars.entries()) await keep(`certificate: ${badTls[index]}`, liar.url(), untrusted)
  const noName: Fate = { ...retried, status: null, error: 'dns', why: 'it may be known later' }
  await keep('a name that is none', `https://none.example:${zoo.port}/`, noName)
  const blocked: Fate = { ...retried, status: null, error: 'blocked_address', why: 'judged again at every connection' }
  await keep('a rebinding name', `https://rebinding.example:${zoo.port}/`, blocked)

  await world.publish('PLAN_CHANGED')
  const rows: string[][] = []
  const wrong: unknown[] = []
  for (const [name, { webhookId, fate }] of kept) {
    const { delivery, attempt } = await firstAttempt(webhookId)
    const seconds =
      delivery.next_attempt_at === null
        ? null
        : (Date.parse(delivery.next_attempt_at) - Date.parse(attempt.finished_at)) / 1_000
    const seen = { delivery: delivery.status, status: attempt.status_code, error: attempt.error_kind }
    const { delivery: state, status, error, again } = fate
    const isInTime = again === null ? seconds === null : seconds !== null && seconds >= again[0] && seconds < again[1]
    if (!isInTime || JSON.stringify(seen) !== JSON.stringify({ delivery: state, status, error }))
      wrong.push({ name, expected: fate, seen, seconds })
    rows.push([
      name,
      seen.delivery,
      String(seen.status ?? '-'),
      seen.error ?? '-',
      seconds === null ? '-' : `${seconds.toFixed(1)} s`,
      fate.why,
    ])
  }
  process.stdout.write(table(['receiver', 'delivery', 'status', 'error', 'again in', 'why'], rows))
  expect(wrong).toEqual([])
  const gone = await world.call('GET', `/webhooks/${kept.get('answers 410')?.webhookId}`)
  expect(gone.body.data).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  // Nobody whose certificate was wrong has seen a request; the name that moved inside was not even connected to.
  expect(liars.map(({ received }) => received.length)).toEqual([0, 0, 0])
  expect(lookups).toBeGreaterThan(1)
}, 20_000)

async function firstAttempt(webhookId: string): Promise<{ delivery: Delivery; attempt: Attempt }> {
  const request = await world.delivery(webhookId, ({ last_status_code, last_error_kind }) =>
    Boolean(last_status_code !== null || last_error_kind !== null),
  )
  const { attempts, ...delivery } = await world.detail(request.request_id)
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('there was no attempt')
  return { delivery, attempt }
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return `\n${[head, ...rows].map(line).join('\n')}\n`
}
