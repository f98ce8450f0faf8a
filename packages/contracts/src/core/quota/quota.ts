import { type Problem, problem } from '../error/error.ts'
import type { ServiceName } from '../services.ts'

interface QuotaDefinition {
  /**
   * Default limit. `platform.plan_limits` of the service overrides it for the plan of a workspace, and
   * `platform.quota_limits`, which operators set, for one workspace or user.
   */
  limit: number
  unit: 'count' | 'bytes'
  /** The counted things, for messages. */
  noun: string
  /** The service that stores what is counted. */
  service?: ServiceName
  /** Default: the workspace. */
  subject?: 'user'
  /** Kinds to which the limit applies separately, and the service of each. */
  kinds?: Readonly<Record<string, ServiceName>>
  /** The use is counted from 0 in each UTC day. */
  period?: 'day'
}

const bytesPerGib = 1024 ** 3

/** The quotas: how much of each resource a workspace, or a user, may have. */
export const quotas = {
  /** Workspaces in which the user is an owner. */
  workspaces: { limit: 10, unit: 'count', noun: 'workspaces', service: 'auth', subject: 'user' },
  /** Members and pending invitations. The subscription sets it: see packages/contracts/src/billing/subscription.ts. */
  seats: { limit: 10, unit: 'count', noun: 'users and pending invitations', service: 'auth' },
  api_keys: { limit: 200, unit: 'count', noun: 'API keys', service: 'auth' },
  service_principals: { limit: 50, unit: 'count', noun: 'service principals', service: 'auth' },
  variables: { limit: 500, unit: 'count', noun: 'variables', service: 'system' },
  sources: { limit: 200, unit: 'count', noun: 'data sources', service: 'data' },
  records: { limit: 5_000_000, unit: 'count', noun: 'records', service: 'data' },
  /** Size of the records as JSON text in UTF-8. */
  stored_bytes: { limit: 20 * bytesPerGib, unit: 'bytes', noun: 'bytes of records', service: 'data' },
  /** Size of the request bodies of record uploads. */
  uploaded_bytes_per_day: {
    limit: 20 * bytesPerGib,
    unit: 'bytes',
    noun: 'bytes uploaded today (UTC)',
    service: 'data',
    period: 'day',
  },
  integrations: { limit: 100, unit: 'count', noun: 'integrations', service: 'integrations' },
  subscriptions: { limit: 200, unit: 'count', noun: 'webhook subscriptions', service: 'webhook-delivery' },
  test_receivers: { limit: 10, unit: 'count', noun: 'test receivers of webhooks', service: 'webhook-delivery' },
  /** Those that are not expired or revoked. */
  portal_links: { limit: 1_000, unit: 'count', noun: 'active portal links', service: 'webhook-delivery' },
  event_destinations: { limit: 10, unit: 'count', noun: 'event destinations', service: 'webhook-delivery' },
  spaces: { limit: 20_000, unit: 'count', noun: 'spaces', service: 'solutions' },
  teams: { limit: 5_000, unit: 'count', noun: 'teams', service: 'solutions' },
  datasets: { limit: 50, unit: 'count', noun: 'datasets', service: 'solutions' },
  plan_schedules: { limit: 100, unit: 'count', noun: 'plan schedules', service: 'solutions' },
  agents: { limit: 200, unit: 'count', noun: 'agents', service: 'ai' },
  triggers: { limit: 100, unit: 'count', noun: 'triggers', service: 'ai' },
  evaluation_sets: { limit: 100, unit: 'count', noun: 'evaluation sets', service: 'ai' },
  evaluations: { limit: 1_000, unit: 'count', noun: 'evaluations', service: 'ai' },
  blueprints: { limit: 200, unit: 'count', noun: 'blueprints', service: 'ai' },
  /** Size of the contents of compliance exports that have not expired. */
  export_bytes: { limit: 10 * bytesPerGib, unit: 'bytes', noun: 'bytes of compliance exports', service: 'audit' },
  /** Jobs of one kind that wait for a worker. */
  queued_jobs: {
    limit: 100,
    unit: 'count',
    noun: 'queued jobs',
    kinds: {
      sync: 'data',
      forecast_run: 'solutions',
      dataset_refresh: 'solutions',
      scenario: 'solutions',
      replay: 'webhook-delivery',
      agent_run: 'ai',
      evaluation: 'ai',
      audit_export: 'audit',
    },
  },
} as const satisfies Record<string, QuotaDefinition>

/** The name of a quota. */
export type QuotaName = keyof typeof quotas

/** Every quota name. */
export const quotaNames = Object.keys(quotas) as QuotaName[] // the keys of a constant object are exactly its declared names

/** The kinds of jobs whose number in the queue is limited. */
export type LimitedJobKind = keyof typeof quotas.queued_jobs.kinds

/** Identifies one counter: a quota, or one kind of a quota that applies to each kind separately. */
export interface QuotaKey {
  quota: QuotaName
  kind: string | null
}

/** Every counter and the service that keeps it. */
export const quotaCounters: readonly (QuotaKey & { service: ServiceName })[] = quotaNames.flatMap(
  (quota): (QuotaKey & { service: ServiceName })[] => {
    const { service, kinds = {} }: QuotaDefinition = quotas[quota]
    return service === undefined
      ? Object.entries(kinds).map(([kind, owner]) => ({ quota, kind, service: owner }))
      : [{ quota, kind: null, service }]
  },
)

const msPerDay = 86_400_000

/** Returns the UTC day of a time. @param now milliseconds since 1970 */
export function utcDay(now: number): { start: Date; end: Date } {
  const start = now - (now % msPerDay)
  return { start: new Date(start), end: new Date(start + msPerDay) }
}

/** Creates the error of a change that would exceed a quota. @param current the use before the change */
export function quotaExceeded(
  { quota, kind }: QuotaKey,
  { limit, current, added }: { limit: number; current: number; added: number },
): Problem {
  const { noun, subject }: QuotaDefinition = quotas[quota]
  const owner = subject === 'user' ? 'You have' : 'The workspace has'
  const counted = `${current} ${noun}${kind === null ? '' : ` of the kind ${kind}`}`
  return problem('quota_exceeded', {
    detail: `${owner} ${counted}; ${added} more would exceed the limit of ${limit}`,
    extra: { quota, ...(kind === null ? {} : { kind }), limit, current },
  })
}
