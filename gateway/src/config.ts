import { type BlockList, isIP } from 'node:net'
import { brokerAccessConfig, cellsConfig, flag, integer, processConfig } from '@wp/service'
import { z } from 'zod'
import { parseOrigins } from './browser/cors.ts'
import { forwardConfig } from './forward/config.ts'
import { parseNetworks } from './identify/client-address.ts'

const networks = z.string().transform((value, context) => {
  const parsed = parseNetworks(value)
  if (parsed === undefined)
    context.addIssue({ code: 'custom', message: 'must be a comma-separated list of addresses and CIDR ranges' })
  const wide = findWideRange(value)
  if (wide !== undefined)
    context.addIssue({
      code: 'custom',
      message: `must not contain ${wide}: name the addresses of the load balancers, at most an IPv4 /13 or an IPv6 /29`,
    })
  return parsed ?? z.NEVER
})

/** Arguments of `refine`: behind a load balancer that is not named, all clients would share one rate limit. */
const proxiesRule = [
  ({ ENVIRONMENT, TRUSTED_PROXIES }: { ENVIRONMENT: string; TRUSTED_PROXIES: BlockList }) =>
    ENVIRONMENT === 'development' || TRUSTED_PROXIES.rules.length > 0,
  {
    path: ['TRUSTED_PROXIES'],
    message:
      'must name the load balancers outside development: addresses or CIDR ranges; 127.0.0.1 if clients connect directly',
  },
] satisfies [unknown, unknown]

const ratio = z
  .string()
  .regex(/^(0|1|[01]?\.\d+)$/, 'must be a number from 0 to 1')
  .transform(Number)
  .pipe(z.number().min(0).max(1))

const origins = z.string().transform((value, context) => {
  const parsed = parseOrigins(value)
  if (parsed === undefined)
    context.addIssue({ code: 'custom', message: 'must be a comma-separated list of origins, https except on loopback' })
  return parsed ?? z.NEVER
})

/** The environment of the edge. */
export const config = z
  .object({
    ...processConfig,
    ...brokerAccessConfig,
    ...cellsConfig,
    /** Port of health, readiness and metrics; not public. */
    ADMIN_PORT: integer(0, 65_535),
    /** Lets several edges on one machine share PORT. docs/decisions/draining.md lists what it requires of Linux. */
    REUSE_PORT: flag.default(false),
    TRUSTED_PROXIES: networks.prefault(''),
    /**
     * Origins whose pages may call the API and read responses: `https://app.example.com,…`, as browsers serialize them.
     */
    CORS_ORIGINS: origins.prefault(''),
    IDENTITY_CACHE_SECONDS: integer(0, 10).default(10),
    /** The same while the change log of auth proves that cached identities are current; 0 does without the log. */
    IDENTITY_PROVEN_CACHE_SECONDS: integer(0, 300).default(300),
    /** Cached identities, about half a kilobyte each. Others are looked up again when they are used. */
    IDENTITY_CACHE_ENTRIES: integer(100, 10_000_000).default(50_000),
    /** Additional time a cached identity is used while auth is unavailable. */
    IDENTITY_STALE_SECONDS: integer(0, 60).default(60),
    /** Maximum delay before a rate-limit count is published to the other edges. */
    LIMIT_EXCHANGE_MS: integer(10, 100).default(50),
    /** Requests per minute and client network to all endpoints that need no credential, except those below. */
    OPEN_REQUESTS_PER_MINUTE: integer(1, 1_000_000).default(300),
    /** Failures per minute and client network of each of these endpoints. */
    OPEN_FAILURES_PER_MINUTE: integer(1, 1_000_000).default(30),
    /** Requests per minute and client network for public keys, metadata, health and documentation. */
    METADATA_REQUESTS_PER_MINUTE: integer(1, 1_000_000).default(1200),
    /** Requests per minute and client network to sites: pages, assets and the site's own API. */
    SITE_REQUESTS_PER_MINUTE: integer(1, 1_000_000).default(3000),
    /** Share of requests that are traced, 0 to 1, where OTEL_EXPORTER_OTLP_ENDPOINT is set. */
    OTEL_TRACES_SAMPLER_ARG: ratio.default(0.01),
    ...forwardConfig,
  })
  .refine(...proxiesRule)

export type Config = z.output<typeof config>

/**
 * The widest trusted ranges, in bits of the prefix: those that content delivery networks publish. Whole private
 * networks such as 10.0.0.0/8 are wider. They contain clients too, whose X-Forwarded-For header would then be believed.
 */
const minPrefixBits = { 4: 13, 6: 29 }

/** Returns the first range of a list of addresses and CIDR ranges that is too wide to be trusted as proxies. */
function findWideRange(list: string): string | undefined {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => {
      const [address = '', prefix] = entry.split('/')
      if (prefix === undefined) return false
      const isIpv4Mapped = address.toLowerCase().startsWith('::ffff:')
      if (isIpv4Mapped) return Number(prefix) - 96 < minPrefixBits[4]
      return Number(prefix) < minPrefixBits[isIP(address) === 4 ? 4 : 6]
    })
}
