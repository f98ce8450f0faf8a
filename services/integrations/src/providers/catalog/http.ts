import { boundedRecord } from '@wp/contracts'
import { credentialDestination, integrationHeaders, secretHeaders } from '@wp/outbound'
import { z } from 'zod'
import { callProvider, throwOnErrorStatus } from '../call-provider.ts'
import { baseUrl, defineProvider, headerName, headerSecret, secretText } from '../provider.ts'

/** Header fields, and secrets, of one integration. */
const [maxHeaders, maxSecrets] = [50, 20]

const config = z.strictObject({
  base_url: baseUrl().describe('All requests go to addresses under this one'),
  headers: boundedRecord(
    z.string().regex(new RegExp(`^${headerName}$`), 'must be a header name'),
    headerSecret(),
    maxHeaders,
  )
    .default({})
    .describe('Sent with every request; not secret'),
})

const secrets = boundedRecord(
  z
    .string()
    .regex(new RegExp(`^(token|username|password|headers\\.${headerName})$`), 'is not a secret of this provider'),
  secretText(),
  maxSecrets,
).describe(
  '`token` (sent as Bearer), or `username` and `password` (sent as Basic); and `headers.<Name>` for a secret header',
)

/** Any HTTP service. */
export const http = defineProvider({
  provider: 'http',
  name: 'HTTP',
  description: 'Any HTTP service, with a token, a user name and password, or secret headers',
  config,
  secrets,
  check: ({ headers }, given) => {
    // User name and password are encoded before they are sent, so they may contain any character.
    const unsendable = Object.entries(given).find(
      ([name, value]) => !['username', 'password'].includes(name) && !headerSecret().safeParse(value).success,
    )
    if (unsendable !== undefined) return [{ pointer: `/secrets/${unsendable[0]}`, detail: 'must be printable ASCII' }]
    const hasUser = given.username !== undefined || given.password !== undefined
    if (given.token !== undefined && hasUser)
      return [{ pointer: '/secrets/token', detail: 'cannot be combined with a user name and password' }]
    if (hasUser && given.username === undefined) return [{ pointer: '/secrets/username', detail: 'is required' }]
    const [reserved] = Object.keys(headers).filter((name) => reservedHeaders.has(name.toLowerCase()))
    if (reserved !== undefined) return [{ pointer: `/config/headers/${reserved}`, detail: 'cannot be set here' }]
    const [ours] = Object.keys(secretHeaders(given)).filter((name) => transportHeaders.has(name.toLowerCase()))
    return ours === undefined ? [] : [{ pointer: `/secrets/headers.${ours}`, detail: 'cannot be set here' }]
  },
  addresses: ({ base_url: url }) => [{ pointer: '/config/base_url', url }],
  destination: ({ base_url: url }) => credentialDestination(url),
  async test({ config: { base_url: url, headers }, secrets: given }, access) {
    const response = await callProvider(access, {
      url,
      headers: integrationHeaders({ headers }, given),
    })
    // The base address itself need not exist, so 404 is accepted. It must not reject the credentials or be unavailable.
    if ([401, 403, 407, 429].includes(response.status) || response.status >= 500) throwOnErrorStatus(response)
  },
})

/** Headers that the HTTP client sets itself. */
const transportHeaders = new Set([
  ...['connection', 'content-length', 'host', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'keep-alive'],
  ...['accept-encoding', 'http2-settings', 'proxy-authorization', 'proxy-connection'],
])

/** Headers that carry secrets, which are write-only. */
const reservedHeaders = new Set([...transportHeaders, 'authorization', 'cookie'])
