import type { Components } from './schema/components.ts'
import type { Json } from './schema/json.ts'

const text = { type: 'string' }

/** Header fields of responses: the name, the name of the component, and its description. */
const responseHeaders = {
  'x-request-id': {
    component: 'RequestId',
    description: 'Identifies the request in logs; name it when you report a problem. A valid one you sent is kept.',
    schema: text,
    example: 'req-9544841b-519e-4fa5-b78c-db51124cf86f',
  },
  'RateLimit-Policy': {
    component: 'RateLimitPolicy',
    description: 'Each policy that applies: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers)',
    schema: text,
    example: '"credential";q=600;w=60, "workspace";q=3000;w=60',
  },
  RateLimit: {
    component: 'RateLimit',
    description: 'Of each policy, the requests that remain (`r`) and the seconds until more are admitted (`t`)',
    schema: text,
    example: '"credential";r=598;t=12, "workspace";r=2990;t=12',
  },
  'Retry-After': {
    component: 'RetryAfter',
    description: 'Seconds to wait before the next request',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  ETag: {
    component: 'ETag',
    description: 'Version of the resource (RFC 9110), for `If-None-Match` and `If-Match`',
    schema: text,
    example: '"3q2-7wEjRWeJq83vASNFZw"',
  },
  Location: {
    component: 'Location',
    description: 'Address of the resource, or of the job that was started',
    schema: { type: 'string', format: 'uri' },
    example: 'https://api.example.com/v1/data/sources/src_01h455vb4pex5vsknk084sn02q',
  },
  'Idempotency-Replayed': {
    component: 'IdempotencyReplayed',
    description: '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Allow: {
    component: 'Allow',
    description: 'The methods that the path has',
    schema: text,
    example: 'GET, POST, HEAD',
  },
  'WWW-Authenticate': {
    component: 'WWWAuthenticate',
    description:
      'How to authenticate (RFC 6750). With `reauthentication_required`: `Bearer error="insufficient_user_authentication", max_age="600"` (RFC 9470)',
    schema: text,
    example: 'Bearer error="invalid_token"',
  },
  'Content-Disposition': {
    component: 'ContentDisposition',
    description: 'Disposition and file name (RFC 6266)',
    schema: text,
    example: 'attachment; filename="export.csv"',
  },
} as const

/** The name of a header field of responses. */
export type ResponseHeader = keyof typeof responseHeaders

/** Header fields of every response. */
const commonHeaders: readonly ResponseHeader[] = ['x-request-id', 'RateLimit-Policy', 'RateLimit']

/** Returns the header fields of a response: those of every response, and further ones. */
export const responseHeadersOf = (components: Components, further: readonly ResponseHeader[] = []): Json =>
  Object.fromEntries(
    [...commonHeaders, ...further].map((name) => {
      const { component, ...header } = responseHeaders[name]
      return [name, components.add('headers', component, header)]
    }),
  )
