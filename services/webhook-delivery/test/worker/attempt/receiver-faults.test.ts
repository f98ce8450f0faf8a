import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Lookup } from '@wp/outbound'
import {
  type Receiver,
  type ReceiverTls,
  type Responder,
  redirect,
  resetConnection,
  respond,
  respondRetryAfter,
  sendGzipBomb,
  sendInterimResponses,
  sendLargeBody,
  sendMalformedResponse,
  sendOversizedHeaders,
  startReceiver,
  truncateResponse,
} from '@wp/testkit'
import { type Attempt, type Delivery, type Harness, startHarness } from '../../fixture/harness.ts'

/** Expected result of the first attempt at a receiver, and the reason for it. */
interface ExpectedResult {
  delivery: 'delivered' | 'pending' | 'failed'
  status: number | null
  error: string | null
  /** Shortest pause until the retry, in seconds; null if there is none. Jitter adds up to a fifth. */
  retrySeconds: number | null
  reason: string
}

// Long enough that no retry is made during the test: it would replace the state that is checked.
const firstPauseSeconds = 600

const retried: Pick<ExpectedResult, 'delivery' | 'retrySeconds'> = {
  delivery: 'pending',
  retrySeconds: firstPauseSeconds,
}
const delivered: Pick<ExpectedResult, 'delivery' | 'retrySeconds'> = { delivery: 'delivered', retrySeconds: null }

const faults: Record<string, [Responder, ExpectedResult]> = {
  '200 after 0.4 s': [
    respond(200, { delayMs: 400 }),
    { ...delivered, status: 200, error: null, reason: 'a slow response is a success' },
  ],
  'connection reset': [
    resetConnection(),
    { ...retried, status: null, error: 'reset', reason: 'the receiver may not have got the request' },
  ],
  'truncated response': [
    truncateResponse(),
    { ...retried, status: 200, error: 'reset', reason: 'an incomplete response is none' },
  ],
  'gzip bomb': [
    sendGzipBomb(),
    { ...delivered, status: 200, error: 'encoding', reason: 'the status counts; nothing is decompressed' },
  ],
  'body of 64 MiB': [
    sendLargeBody(),
    { ...delivered, status: 200, error: null, reason: 'the status counts; 64 KiB are read' },
  ],
  'headers of 1 MiB': [
    sendOversizedHeaders(),
    { ...retried, status: null, error: 'protocol', reason: 'the response head exceeds the limit' },
  ],
  'not HTTP': [sendMalformedResponse(), { ...retried, status: null, error: 'protocol', reason: 'there is no status' }],
  '302 to metadata': [redirect(), { ...retried, status: 302, error: null, reason: 'redirects are not followed' }],
  '429, Retry-After: 1800': [
    respondRetryAfter(429, 1_800),
    { delivery: 'pending', status: 429, error: null, retrySeconds: 1_800, reason: 'no earlier than it says' },
  ],
  '503, Retry-After: a date': [
    respondRetryAfter(503, new Date(Date.now() + 7_200_000)),
    { delivery: 'pending', status: 503, error: null, retrySeconds: 6_600, reason: 'no earlier than it says' },
  ],
  '500': [respond(500), { ...retried, status: 500, error: null, reason: 'retried' }],
  '100, 102 and 103 before 200': [
    sendInterimResponses(),
    { delivery: 'delivered', status: 200, error: null, retrySeconds: null, reason: 'the final response decides' },
  ],
  '410': [
    respond(410),
    { delivery: 'failed', status: 410, error: null, retrySeconds: null, reason: 'disables the subscription' },
  ],
}

const untrustedTls: ReceiverTls[] = ['self-signed', 'wrong-name', 'expired']
const tlsError: ExpectedResult = {
  ...retried,
  status: null,
  error: 'tls',
  reason: 'nothing is sent before TLS is verified',
}
const blockedAddress: ExpectedResult = {
  ...retried,
  status: null,
  error: 'blocked_address',
  reason: 'addresses are checked for every connection',
}

/** Resolves to a public address when the subscription is created, and to a private one when a delivery is sent. */
const rebindingLookup: Lookup = async (name) => {
  if (name !== 'rebinding.example') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  lookups += 1
  return [{ address: lookups === 1 ? '8.8.8.8' : '127.0.0.2', family: 4 }]
}
let lookups = 0

let harness: Harness
let receiver: Receiver
let untrusted: Receiver[]

beforeAll(async () => {
  // The time limit is above what a busy machine needs for the slowest response. Timeouts are tested in retry.test.ts.
  harness = await startHarness(
    { RETRY_SCHEDULE_SECONDS: `${firstPauseSeconds}`, ATTEMPT_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '120' },
    { lookup: rebindingLookup },
  )
  receiver = await startReceiver()
  untrusted = await Promise.all(untrustedTls.map((tls) => startReceiver({ tls })))
})

afterAll(async () => {
  for (const each of [receiver, ...(untrusted ?? [])]) await each?.close()
  await harness?.stop()
})

/** Subscribes an endpoint for each fault. Returns the webhook id and the expected result by the name of the fault. */
async function subscribeAll(): Promise<Map<string, { webhookId: string; expected: ExpectedResult }>> {
  const cases = new Map<string, { webhookId: string; expected: ExpectedResult }>()
  const add = async (name: string, endpoint: string, expected: ExpectedResult) =>
    cases.set(name, { webhookId: await harness.subscribe({ endpoint, events: ['RECOMMENDATION_CREATED'] }), expected })
  for (const [index, [name, [responder, expected]]] of Object.entries(faults).entries()) {
    receiver.setResponder(responder, `/${index}`)
    await add(name, receiver.url(`/${index}`), expected)
  }
  for (const [index, each] of untrusted.entries())
    await add(`certificate: ${untrustedTls[index]}`, each.url(), tlsError)
  await add('unknown name', `https://none.example:${receiver.port}/`, blockedAddress)
  await add('DNS rebinding', `https://rebinding.example:${receiver.port}/`, blockedAddress)
  return cases
}

describe('a delivery to a faulty receiver', () => {
  it('is delivered, retried or failed according to the fault', async () => {
    const cases = await subscribeAll()
    await harness.publish('RECOMMENDATION_CREATED')
    const rows: string[][] = []
    const mismatches: unknown[] = []
    for (const [name, { webhookId, expected }] of cases) {
      const { delivery, attempt } = await readFirstAttempt(webhookId)
      const actual = {
        delivery: delivery.status,
        status: attempt.status_code,
        error: attempt.error_kind,
        seconds: readPauseSeconds(delivery, attempt),
      }
      if (!isExpected(actual, expected)) mismatches.push({ name, expected, actual })
      const pause = actual.seconds === null ? '-' : `${actual.seconds.toFixed(0)} s`
      rows.push([name, actual.delivery, `${actual.status ?? '-'}`, actual.error ?? '-', pause, expected.reason])
    }
    process.stdout.write(formatTable(['receiver', 'delivery', 'status', 'error', 'retry in', 'reason'], rows))
    expect(mismatches).toEqual([])
    const gone = await harness.call('GET', `/webhooks/${cases.get('410')?.webhookId}`)
    expect(gone.body.data).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    // No request was sent over untrusted TLS.
    expect(untrusted.map(({ received }) => received.length)).toEqual([0, 0, 0])
    expect(lookups).toBeGreaterThan(1)
  })
})

type ActualResult = { delivery: string; status: number | null; error: string | null; seconds: number | null }

function isExpected(actual: ActualResult, { delivery, status, error, retrySeconds }: ExpectedResult): boolean {
  if (actual.delivery !== delivery || actual.status !== status || actual.error !== error) return false
  if (retrySeconds === null) return actual.seconds === null
  // The upper limit separates the pauses from each other; recording the attempt may add to jitter.
  return actual.seconds !== null && actual.seconds >= retrySeconds && actual.seconds < 2 * retrySeconds
}

/** Returns the pause from the end of an attempt to the retry. */
const readPauseSeconds = (delivery: Delivery, attempt: Attempt): number | null =>
  delivery.next_attempt_at === null
    ? null
    : (Date.parse(delivery.next_attempt_at) - Date.parse(attempt.finished_at)) / 1_000

async function readFirstAttempt(webhookId: string): Promise<{ delivery: Delivery; attempt: Attempt }> {
  const { request_id } = await harness.delivery(
    webhookId,
    ({ last_status_code, last_error_kind }) => last_status_code !== null || last_error_kind !== null,
  )
  const { attempts, ...delivery } = await harness.detail(request_id)
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('there was no attempt')
  return { delivery, attempt }
}

function formatTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return `\n${[head, ...rows].map(line).join('\n')}\n`
}
