import { brokerAccessConfig, cellsConfig, flag, integer, processConfig } from '@wp/service'
import { z } from 'zod'
import { parseOrigins } from './browser/cors.ts'
import { forwardConfig } from './forward/config.ts'
import { parseNetworks } from './identify/client-address.ts'

const networks = z.string().transform((value, context) => {
  const parsed = parseNetworks(value)
  if (parsed === undefined)
    context.addIssue({ code: 'custom', message: 'must be addresses or CIDR ranges, separated by commas' })
  return parsed ?? z.NEVER
})

const origins = z.string().transform((value, context) => {
  const parsed = parseOrigins(value)
  if (parsed === undefined)
    context.addIssue({ code: 'custom', message: 'must be origins, https except on loopback, separated by commas' })
  return parsed ?? z.NEVER
})

/** What the edge is told. */
export const config = z.object({
  ...processConfig,
  ...brokerAccessConfig,
  ...cellsConfig,
  /** Health, readiness and metrics; never published. */
  ADMIN_PORT: integer(0, 65_535),
  /** Whether several edges of one machine share PORT; see docs/decisions/draining.md for what that needs of Linux. */
  REUSE_PORT: flag.default(false),
  TRUSTED_PROXIES: networks.prefault(''),
  /** Whose pages may call the interface and read its answers: `https://app.example.com,…`, exactly as browsers write them. */
  CORS_ORIGINS: origins.prefault(''),
  IDENTITY_CACHE_SECONDS: integer(0, 10).default(10),
  /** Credentials remembered at once, a kilobyte each: those that ask within `IDENTITY_CACHE_SECONDS` are worth it. */
  IDENTITY_CACHE_ENTRIES: integer(100, 10_000_000).default(30_000),
  /** How long a cached identity may serve while auth is away. */
  IDENTITY_STALE_SECONDS: integer(0, 60).default(60),
  /** How long an edge may keep to itself what it admitted; the others' counts are at most this late. */
  LIMIT_EXCHANGE_MS: integer(10, 100).default(50),
  ...forwardConfig,
})

export type Config = z.output<typeof config>
