import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Lookup } from '@wp/outbound'
import {
  neverRespond,
  type Receiver,
  type ReceiverTls,
  type Responder,
  redirect,
  resetConnection,
  respond,
  respondRetryAfter,
  sendGzipBomb,
  sendLargeBody,
  sendMalformedResponse,
  sendOversizedHeaders,
  sendSlowBody,
  startReceiver,
  truncateResponse,
} from '@wp/testkit'
import { type Attempt, type Delivery, type Harness, startHarness } from '../fixture/harness.ts'

/** What becomes of the first attempt at a receiver, and why that is right. */
interface ExpectedResult {
  delivery: 'delivered' | 'pending' | 'failed'
  status: number | null
  error: string | null
  /** From the end of the attempt to the next, in seconds, with room for a busy machine; null: there is none. */
  nextAttemptSeconds: [number, number] | null
  why: string
}

const retriedResult: Pick<ExpectedResult, 'delivery' | 'nextAttemptSeconds'> = {
  delivery: 'pending',
  nextAttemptSeconds: [5, 16],
}
const deliveredResult: Pick<ExpectedResult, 'delivery' | 'nextAttemptSeconds'> = {
  delivery: 'delivered',
  nextAttemptSeconds: null,
}

const faults: Record<string, [Responder, ExpectedResult]> = {
  '200, after 0.4 s': [
    respond(200, { delayMs: 400 }),
    { ...deliveredResult, status: 200, error: null, why: 'slow is not wrong' },
  ],
  hangs: [neverRespond(), { ...retriedResult, status: null, error: 'timeout', why: 'given up at the time limit' }],
  'drips its answer': [
    sendSlowBody(),
    { ...retriedResult, status: 200, error: 'timeout', why: 'one limit covers the body, too' },
  ],
  resets: [resetConnection(), { ...retriedResult, status: null, error: 'reset', why: 'it may not have got it' }],
  'half an answer': [
    truncateResponse(),
    { ...retriedResult, status: 200, error: 'reset', why: 'an answer cut short is none' },
  ],
  'a gzip bomb': [
    sendGzipBomb(),
    { ...deliveredResult, status: 200, error: 'encoding', why: 'taken, and nothing inflated' },
  ],
  '64 MiB of answer': [
    sendLargeBody(),
    { ...deliveredResult, status: 200, error: null, why: 'taken; 64 KiB of it are read' },
  ],
  'a header of 1 MiB': [
    sendOversizedHeaders(),
    { ...retriedResult, status: null, error: 'protocol', why: 'no head we would read' },
  ],
  'no HTTP': [
    sendMalformedResponse(),
    { ...retriedResult, status: null, error: 'protocol', why: 'nobody said it was taken' },
  ],
  '302 to metadata': [redirect(), { ...retriedResult, status: 302, error: null, why: 'never followed' }],
  '429, Retry-After: 30': [
    respondRetryAfter(429, 30),
    { delivery: 'pending', status: 429, error: null, nextAttemptSeconds: [30, 46], why: 'no earlier than it says' },
  ],
  '503, Retry-After: a date': [
    respondRetryAfter(503, new Date(Date.now() + 120_000)),
    { delivery: 'pending', status: 503, error: null, nextAttemptSeconds: [100, 155], why: 'no earlier than it says' },
  ],
  'answers 500': [respond(500), { ...retriedResult, status: 500, error: null, why: 'retried' }],
  'answers 410': [
    respond(410),
    { delivery: 'failed', status: 410, error: null, nextAttemptSeconds: null, why: 'gone: disabled at once' },
  ],
}

const badTls: ReceiverTls[] = ['self-signed', 'wrong-name', 'expired']
const untrustedResult: ExpectedResult = {
  ...retriedResult,
  status: null,
  error: 'tls',
  why: 'nothing is sent to who cannot prove its name',
}

/** Public when the subscription is made, inside our network when something is sent. */
const rebindingLookup: Lookup = async (name) => {
  if (name !== 'rebinding.example') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  lookups += 1
  return [{ address: lookups === 1 ? '8.8.8.8' : '127.0.0.2', family: 4 }]
}
let lookups = 0

let harness: Harness
let receivers: Receiver[]

beforeAll(async () => {
  harness = await startHarness(
    { RETRY_SCHEDULE_SECONDS: '5,600', ATTEMPT_TIMEOUT_SECONDS: '4', LEASE_SECONDS: '8' },
    rebindingLookup,
  )
  receivers = await Promise.all([startReceiver(), ...badTls.map((tls) => startReceiver({ tls }))])
})

afterAll(async () => {
  await harness?.stop()
  for (const receiver of receivers ?? []) await receiver.close()
})

it('treats every animal of the zoo as it deserves', async () => {
  const [faulty, ...untrustedReceivers] = receivers
  if (faulty === undefined) throw new Error('there is no receiver')
  const cases = new Map<string, { webhookId: string; expected: ExpectedResult }>()
  const addCase = async (name: string, endpoint: string, expected: ExpectedResult) =>
    cases.set(name, { webhookId: await harness.subscribe({ endpoint, events: ['PLAN_CHANGED'] }), expected })
  for (const [index, [name, [behaviour, expected]]] of Object.entries(faults).entries()) {
    faulty.setResponder(behaviour, `/${index}`)
    await addCase(name, faulty.url(`/${index}`), expected)
  }
  for (const [index, receiver] of untrustedReceivers.entries())
    await addCase(`certificate: ${badTls[index]}`, receiver.url(), untrustedResult)
  const noName: ExpectedResult = { ...retriedResult, status: null, error: 'dns', why: 'it may be known later' }
  await addCase('a name that is none', `https://none.example:${faulty.port}/`, noName)
  const blocked: ExpectedResult = {
    ...retriedResult,
    status: null,
    error: 'blocked_address',
    why: 'judged again at every connection',
  }
  await addCase('a rebinding name', `https://rebinding.example:${faulty.port}/`, blocked)

  await harness.publish('PLAN_CHANGED')
  const rows: string[][] = []
  const mismatches: unknown[] = []
  for (const [name, { webhookId, expected }] of cases) {
    const { delivery, attempt } = await firstAttempt(webhookId)
    const seconds =
      delivery.next_attempt_at === null
        ? null
        : (Date.parse(delivery.next_attempt_at) - Date.parse(attempt.finished_at)) / 1_000
    const actual = { delivery: delivery.status, status: attempt.status_code, error: attempt.error_kind }
    const { delivery: state, status, error, nextAttemptSeconds } = expected
    const isInTime =
      nextAttemptSeconds === null
        ? seconds === null
        : seconds !== null && seconds >= nextAttemptSeconds[0] && seconds < nextAttemptSeconds[1]
    if (!isInTime || JSON.stringify(actual) !== JSON.stringify({ delivery: state, status, error }))
      mismatches.push({ name, expected: expected, actual, seconds })
    rows.push([
      name,
      actual.delivery,
      String(actual.status ?? '-'),
      actual.error ?? '-',
      seconds === null ? '-' : `${seconds.toFixed(1)} s`,
      expected.why,
    ])
  }
  process.stdout.write(table(['receiver', 'delivery', 'status', 'error', 'again in', 'why'], rows))
  expect(mismatches).toEqual([])
  const gone = await harness.call('GET', `/webhooks/${cases.get('answers 410')?.webhookId}`)
  expect(gone.body.data).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  // Nobody whose certificate was wrong has seen a request; the name that moved inside was not even connected to.
  expect(untrustedReceivers.map(({ received }) => received.length)).toEqual([0, 0, 0])
  expect(lookups).toBeGreaterThan(1)
}, 20_000)

async function firstAttempt(webhookId: string): Promise<{ delivery: Delivery; attempt: Attempt }> {
  const request = await harness.delivery(webhookId, ({ last_status_code, last_error_kind }) =>
    Boolean(last_status_code !== null || last_error_kind !== null),
  )
  const { attempts, ...delivery } = await harness.detail(request.request_id)
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('there was no attempt')
  return { delivery, attempt }
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return `\n${[head, ...rows].map(line).join('\n')}\n`
}
