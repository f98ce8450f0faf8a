import { gzipSync } from 'node:zlib'
import {
  type Answer,
  cutChunk,
  cutEvents,
  drip,
  emptyStream,
  endless,
  html,
  httpDate,
  never,
  ok,
  problem,
  raw,
  reset,
  restOfEvents,
  silentAfter,
  startedRun,
  uploaded,
  wrongLength,
} from './exchange.ts'

/** The call that meets a fault. `read` and `write` of the workspace; an upload of a file; the events of a run. */
export type FaultCall = 'read' | 'write' | 'upload' | 'follow' | 'start'

/** A fault of the network or the server, and the outcome that every client must have. */
export interface Scenario {
  name: string
  fault: string
  call: FaultCall
  /** The answers to the attempts, in this order; the last one is repeated. */
  answers: readonly Answer[]
  /** The name of the error, or `result`. */
  outcome: 'result' | string
  /** Requests that the server receives. */
  attempts: number
  /** Time limit of an attempt; of a stream, the longest time without a byte. */
  timeoutMs?: number
}

const scenario = (
  name: string,
  fault: string,
  call: FaultCall,
  answers: readonly Answer[],
  outcome: string,
  attempts: number,
  timeoutMs?: number,
): Scenario => ({ name, fault, call, answers, outcome, attempts, ...(timeoutMs !== undefined && { timeoutMs }) })

const dated =
  (status: number, code: string, offsetSeconds: number): Answer =>
  (exchange) =>
    problem(status, code, { 'retry-after': httpDate(offsetSeconds) })(exchange)

const inFlight = problem(409, 'idempotency_in_flight', { 'retry-after': '0' })

const bomb: Answer = ({ response }) =>
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    .end(gzipSync(Buffer.alloc(80 * 1024 * 1024, 0x20)))

/** Every fault, in the order of the table in docs/client-faults.md. */
export const scenarios: readonly Scenario[] = [
  scenario('reset-twice', 'connection reset before the response, twice', 'read', [reset, reset, ok], 'result', 3),
  scenario('reset-always', 'connection reset before every response', 'read', [reset], 'NetworkError', 3),
  scenario('reset-write', 'connection reset after a change was received', 'write', [reset, ok], 'result', 2),
  scenario('not-http', 'bytes that are not HTTP', 'read', [raw('SSH-2.0-OpenSSH_9.2\r\n')], 'NetworkError', 3),
  scenario('cut-body', 'body shorter than its length, once', 'read', [wrongLength(1000), ok], 'result', 2),
  scenario('length-too-long', 'body shorter than its length, always', 'read', [wrongLength(1000)], 'NetworkError', 3),
  scenario('length-too-short', 'body longer than its length', 'read', [wrongLength(20)], 'InvalidResponseError', 1),
  scenario('cut-chunk', 'body that ends within a chunk', 'read', [cutChunk], 'NetworkError', 3),
  scenario('no-response', 'no response', 'read', [never], 'TimeoutError', 1, 500),
  scenario('dripping-body', 'body of one byte every 50 ms', 'read', [drip], 'TimeoutError', 1, 500),
  scenario('endless-body', 'body without end', 'read', [endless], 'InvalidResponseError', 1),
  scenario('gzip-bomb', '80 MiB in 80 KiB of gzip', 'read', [bomb], 'InvalidResponseError', 1),
  scenario(
    'empty-success',
    '200 without a body',
    'read',
    [({ response }) => response.end()],
    'InvalidResponseError',
    1,
  ),
  scenario('html-success', '200 with a page of a proxy', 'read', [html(200)], 'InvalidResponseError', 1),
  scenario('redirect', 'redirect', 'read', [html(302, { location: '/elsewhere' })], 'ApiError', 1),
  scenario('timeout-408', '408', 'read', [problem(408, 'request_timeout', { 'retry-after': '0' }), ok], 'result', 2),
  scenario('in-flight', '409 `idempotency_in_flight`, twice', 'write', [inFlight, inFlight, ok], 'result', 3),
  scenario('conflict', '409 `conflict`', 'write', [problem(409, 'conflict')], 'ConflictError', 1),
  scenario(
    'limited-seconds',
    '429, `Retry-After` of 1 s',
    'read',
    [problem(429, 'rate_limited', { 'retry-after': '1' }), ok],
    'result',
    2,
  ),
  scenario(
    'limited-date',
    '429, `Retry-After` with a date in 2 s',
    'read',
    [dated(429, 'rate_limited', 2), ok],
    'result',
    2,
  ),
  scenario(
    'limited-past',
    '429, `Retry-After` with a date in the past',
    'read',
    [dated(429, 'rate_limited', -60), ok],
    'result',
    2,
  ),
  scenario(
    'limited-long',
    '429, `Retry-After` of an hour',
    'read',
    [problem(429, 'rate_limited', { 'retry-after': '3600' })],
    'RateLimitedError',
    1,
  ),
  scenario(
    'limited-long-date',
    '429, `Retry-After` with a date in an hour',
    'read',
    [dated(429, 'rate_limited', 3600)],
    'RateLimitedError',
    1,
  ),
  scenario('internal-error', '500', 'write', [problem(500, 'internal_error', { 'retry-after': '0' }), ok], 'result', 2),
  scenario('html-502', '502 with a page of a proxy, once', 'read', [html(502), ok], 'result', 2),
  scenario(
    'html-503',
    '503 with a page of a proxy, always',
    'read',
    [html(503, { 'retry-after': '0' })],
    'ApiError',
    3,
  ),
  scenario(
    'upload-again',
    '503 to an upload of a file, once',
    'upload',
    [problem(503, 'service_unavailable', { 'retry-after': '0' }), uploaded],
    'result',
    2,
  ),
  scenario(
    'upload-reset',
    'connection reset during an upload of a file, once',
    'upload',
    [reset, uploaded],
    'result',
    2,
  ),
  scenario(
    'upload-too-large',
    '413 to an upload',
    'upload',
    [problem(413, 'payload_too_large')],
    'PayloadTooLargeError',
    1,
  ),
  scenario(
    'stream-cut',
    'stream cut between events, twice',
    'follow',
    [cutEvents(1, 2), cutEvents(3, 3), restOfEvents(5)],
    'result',
    3,
  ),
  scenario(
    'stream-cut-event',
    'stream cut within an event',
    'follow',
    [cutEvents(1, 3, 5), restOfEvents(5)],
    'result',
    2,
  ),
  scenario(
    'stream-cut-character',
    'stream cut within a character',
    'follow',
    [cutEvents(1, 3, 6), restOfEvents(5)],
    'result',
    2,
  ),
  scenario('stream-silent', 'stream that stays silent', 'follow', [silentAfter(2), restOfEvents(5)], 'result', 2, 2000),
  scenario(
    'stream-503',
    '503 when the stream is resumed, once',
    'follow',
    [cutEvents(1, 2), problem(503, 'service_unavailable', { 'retry-after': '0' }), restOfEvents(5)],
    'result',
    3,
  ),
  scenario('stream-empty', 'stream without events, always', 'follow', [emptyStream], 'NetworkError', 6),
  scenario(
    'start-cut',
    'connection reset when a run has been started',
    'start',
    [reset, startedRun, restOfEvents(5)],
    'result',
    3,
  ),
]

/** Returns the table of the document. */
export const renderTable = (): string =>
  [
    '| fault | call | outcome | requests |',
    '|---|---|---|---|',
    ...scenarios.map(
      ({ fault, call, outcome, attempts }) =>
        `| ${fault} | ${call} | ${outcome === 'result' ? 'the result' : `\`${outcome}\``} | ${attempts} |`,
    ),
  ].join('\n')
