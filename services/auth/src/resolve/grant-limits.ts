import { type Grant, type ServiceName, serviceNames } from '@wp/contracts'

/**
 * Returns the requests a minute of a workspace as the edge needs them: one number for most services, and the services
 * that differ from it. An edge of the previous release applies the number to all.
 *
 * @param base the limit without a plan
 * @param plan the limits of the plan by service; a service that it does not name has the limit of most
 */
export function grantLimits(base: number, plan: Readonly<Record<string, number>> | null): Grant['limits'] {
  const named = serviceNames.flatMap((name): [ServiceName, number][] => {
    const limit = plan?.[name]
    return limit === undefined ? [] : [[name, limit]]
  })
  const common = mostFrequent(named.map(([, limit]) => limit)) ?? base
  const services = named.filter(([, limit]) => limit !== common)
  return {
    workspace_per_minute: common,
    ...(services.length === 0 ? {} : { services: Object.fromEntries(services) }),
  }
}

/** Returns the lowest of the most frequent numbers; undefined without numbers. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const groups = [...Map.groupBy(numbers, (number) => number)]
  return groups.toSorted(([a, as], [b, bs]) => bs.length - as.length || a - b)[0]?.[0]
}
