import {
  type QuotaUsage,
  quotaCounters,
  quotas,
  type ResultOf,
  type ServiceName,
  type systemUsage,
  type UsageEntry,
  utcDay,
} from '@wp/contracts'
import { withTimeout } from '@wp/runtime'

/** Reads the quotas that one service counts. */
export type ReadUsage = () => Promise<readonly QuotaUsage[]>

interface Options {
  /** The readers by service. */
  readers: Readonly<Partial<Record<ServiceName, ReadUsage>>>
  /** Time limit for all services, which are read concurrently. */
  deadlineMs: number
  /** Milliseconds since 1970. */
  now: number
  /** Called with the error of a service that did not answer in time. */
  onError: (service: ServiceName, error: unknown) => void
}

/**
 * Reads the use of every quota. The quotas of a service that fails or does not answer in time have neither limit nor
 * use, and a warning names the service. A quota that the service does not report does not apply to the caller.
 */
export async function collectUsage(options: Options): Promise<Omit<ResultOf<typeof systemUsage.usage>, 'meters'>> {
  const services = [...new Set(quotaCounters.map(({ service }) => service))]
  const reports = new Map(
    await Promise.all(services.map(async (service) => [service, await readReport(service, options)] as const)),
  )
  return {
    quotas: quotaCounters.flatMap(({ quota, kind, service }) => {
      const report = reports.get(service)
      const use = report?.find((one) => one.quota === quota && one.kind === kind)
      if (report !== undefined && use === undefined) return []
      return [entryOf({ quota, kind, limit: use?.limit ?? null, current: use?.current ?? null }, options.now)]
    }),
    warnings: services
      .filter((service) => reports.get(service) === undefined)
      .map((service) => `The ${service} service did not answer; the use of its quotas is unknown`),
  }
}

async function readReport(
  service: ServiceName,
  { readers, deadlineMs, onError }: Options,
): Promise<readonly QuotaUsage[] | undefined> {
  const read = readers[service]
  if (read === undefined) throw new Error(`the quotas of ${service} have no reader`)
  try {
    return await withTimeout(deadlineMs, read(), () => new Error(`no answer within ${deadlineMs} ms`))
  } catch (error) {
    onError(service, error)
    return undefined
  }
}

function entryOf(use: Pick<UsageEntry, 'quota' | 'kind' | 'limit' | 'current'>, now: number): UsageEntry {
  const definition: { unit: UsageEntry['unit']; period?: 'day' } = quotas[use.quota]
  const { start, end } = utcDay(now)
  const period = { start: start.toISOString(), end: end.toISOString() }
  return { ...use, unit: definition.unit, period: definition.period === 'day' ? period : null }
}
