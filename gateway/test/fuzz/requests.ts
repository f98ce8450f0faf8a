import type { EndpointDefinition } from '@wp/contracts'
import fc from 'fast-check'

/** Existing resources and valid credentials. */
export interface KnownResources {
  /** Ids by path parameter. */
  params: Record<string, string>
  /** Ids for parameters named `id`. */
  ids: readonly string[]
  /** Header lines of valid credentials. */
  credentials: readonly string[]
}

export interface FuzzRequest {
  method: string
  target: string
  lines: string[]
  body: string
}

interface Endpoint {
  definition: EndpointDefinition
  /** A valid body. */
  body: unknown
}

/** Generates requests close to valid ones: each part is usually valid, so that the other parts are checked, too. */
export const fuzzRequests = (endpoints: readonly Endpoint[], known: KnownResources): fc.Arbitrary<FuzzRequest> =>
  fc.constantFrom(...endpoints).chain(({ definition, body }) =>
    fc
      .record({
        method: mostly(definition.method, fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS')),
        path: pathOf(definition, known),
        query: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, queryOf(definition)),
        credential: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...known.credentials) },
          { weight: 1, arbitrary: fc.constantFrom('Authorization: Bearer x', 'x-api-key: key_a.B.c.d', 'x-none: x') },
        ),
        more: fc.subarray(oddLines, { maxLength: 2 }),
        content: definition.method === 'GET' ? fc.constant(noContent) : contentOf(body),
      })
      .map(({ method, path, query, credential, more, content }) => ({
        method,
        target: path + query,
        lines: [credential, ...more, ...content.lines],
        body: content.body,
      })),
  )

const mostly = <Value>(value: Value, other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other })

/** Unusual path segments: visible ASCII without the characters that end a target, and encoded bytes. */
const oddSegment = fc.oneof(
  fc.constantFrom('', '%', '%zz', '%00', '%2e%2e', '..', '.', '%c0%af', 'null', '-1', '%F0%9F%92%A9', ';a=b', '*', '~'),
  fc.stringMatching(/^[!$-,.0->@-~]{1,40}$/),
  fc.constant('x'.repeat(3000)),
)

const pathOf = ({ path }: EndpointDefinition, { params, ids }: KnownResources): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...path.split('/').map((segment) => {
        if (!segment.startsWith('{')) return fc.constant(segment)
        const right = params[segment.slice(1, -1)]
        const others = fc.constantFrom(...ids, ...Object.values(params))
        return mostly(right ?? '', right === undefined ? others : fc.oneof(oddSegment, others)).map(
          (one) => one || ids[0],
        )
      }),
    )
    .map((segments) => segments.join('/'))

const oddText = fc.constantFrom(
  '',
  '0',
  '-1',
  '101',
  '1e9',
  'NaN',
  'true',
  'null',
  '%00',
  '%ff',
  '%',
  'x'.repeat(2000),
  'ws_x',
  '2026-01-01T00:00:00Z',
  '9999-99-99',
  '{}',
  '[]',
)

const queryOf = ({ query }: EndpointDefinition): fc.Arbitrary<string> => {
  const names = [...Object.keys(query?.shape ?? {}), 'unknown', 'limit', 'cursor', '__proto__', 'a[b]']
  return fc
    .array(fc.tuple(fc.constantFrom(...names), fc.oneof(oddText, fc.stringMatching(/^[!$%'-,./0-;=?-~]{0,20}$/))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`)
}

const oddLines = [
  'x-workspace-key: ws_00000000000000000000000000',
  'x-workspace-key: \xe9',
  'x-request-id: short',
  'x-request-id: a-good.one_1234',
  'traceparent: 00-zz-zz-zz',
  'Idempotency-Key: 1',
  'Idempotency-Key: \xff\xfe',
  `Idempotency-Key: ${'k'.repeat(300)}`,
  'If-Match: "x"',
  'If-Match: *',
  'If-None-Match: *',
  'If-None-Match: W/"x", "',
  'Accept: text/event-stream',
  'Accept: \xa0',
  'Prefer: respond-async',
  'Prefer: ,;=,respond-async;;',
  'Expect: 100-continue',
  'Expect: miracles',
  'Range: bytes=0-1',
  'Origin: null',
  'Cookie: a=b; __Host-x=\xff; a',
  'TE: trailers',
  'Upgrade: websocket',
  'Content-Encoding: gzip',
  'X-HTTP-Method-Override: DELETE',
  'X-Forwarded-For: ,,[::1]:1, unknown',
  `X-Long: ${'x'.repeat(9000)}`,
]

interface Content {
  lines: string[]
  body: string
}
const noContent: Content = { lines: [], body: '' }

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    '',
    ' ',
    'a\0b',
    '\ud800',
    '\u202e',
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(70_000),
    'https://127.0.0.1:1/',
    '0000-00-00T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    "'; --",
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Generates a value with one change at any depth. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return oddValue
  const entries = Object.entries(value)
  const names = fc.constantFrom(...entries.map(([name]) => name), 'unknown', '__proto__', 'constructor', 'id')
  const rebuild = (changed: [string, unknown][]) =>
    Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
  return fc.oneof(
    oddValue,
    names.map((name) => rebuild(entries.filter(([one]) => one !== name))),
    fc.tuple(names, oddValue).map(([name, odd]) => rebuild([...entries.filter(([one]) => one !== name), [name, odd]])),
    ...entries.map(([name, inner]) =>
      mutated(inner).map((odd) => rebuild(entries.map(([one, kept]) => [one, one === name ? odd : kept]))),
    ),
  )
}

const types = [
  'application/json',
  'application/json; charset=utf-16',
  'text/csv',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  '\xff',
]

const contentOf = (body: unknown): fc.Arbitrary<Content> =>
  fc
    .record({
      text: fc.oneof(
        { weight: 4, arbitrary: fc.constant(JSON.stringify(body ?? {})) },
        { weight: 8, arbitrary: mutated(body ?? {}).map((odd) => JSON.stringify(odd) ?? '') },
        { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 200 }) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            '{',
            '[['.repeat(3000),
            '{"a":1,"a":2}',
            'a,b\n"',
            '\xff\xfe',
            'a=%zz&a=1&=',
            '1e999',
          ),
        },
      ),
      type: mostly('application/json', fc.constantFrom(...types)),
      isChunked: mostly(false, fc.constant(true)),
    })
    .map(({ text, type, isChunked }) => {
      const bytes = Buffer.from(text).toString('latin1')
      const size = bytes.length.toString(16)
      return isChunked
        ? {
            lines: [`Content-Type: ${type}`, 'Transfer-Encoding: chunked'],
            body: bytes === '' ? '0\r\n\r\n' : `${size}\r\n${bytes}\r\n0\r\n\r\n`,
          }
        : { lines: [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`], body: bytes }
    })
