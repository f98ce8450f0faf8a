import { setTimeout as pause } from 'node:timers/promises'
import { type SignerName, signerNames } from '@wp/contracts'
import type { TestFleet } from '@wp/testkit'
import { runClosedLoop, wireRequest } from './harness/closed-loop.ts'
import { createApiKeys, withFleet } from './harness/fleet.ts'
import { cpuPerRequest, meteredProcess, residentMib, startMeter } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'

/** A usual request of each service, which reads rows of its database where it has one. */
const paths: Partial<Record<SignerName, string>> = {
  auth: '/v1/auth/me',
  system: '/v1/system/workspace/variables',
  data: '/v1/data/sources',
  integrations: '/v1/integrations/integrations',
  'webhook-delivery': '/v1/webhooks/webhooks',
  solutions: '/v1/solutions/workplace/forecast/runs',
  audit: '/v1/audit/logs?limit=20',
  ai: '/v1/ai/runs',
  billing: '/v1/billing/invoices',
  notifications: '/v1/notifications/events',
}

const connections = 8
const warmUpRequests = 500
const idleMs = 20_000

/**
 * Measures the processor time of every process while nothing happens, and of the service and the gateway for one
 * request of each service.
 */
export async function run({ requests }: { requests: number }): Promise<void> {
  await withFleet({}, async (fleet) => {
    const keys = await createApiKeys(fleet, 100)
    const readUsage = startMeter(signerNames.map((name) => meteredProcess(name, fleet.member(name))))
    await pause(idleMs)
    const idle = readUsage()
    const rows: Row[] = []
    for (const service of signerNames) {
      const path = paths[service]
      if (path !== undefined) rows.push(await measureRequests(fleet, service, path, keys, requests))
    }
    report('requests', rows, {
      connections,
      idle: idle.processes.map(({ name, cpuMs, pssMiB }) => ({ name, cpuMsPerSecond: cpuMs / idle.seconds, pssMiB })),
    })
  })
}

async function measureRequests(
  fleet: TestFleet,
  service: SignerName,
  path: string,
  keys: readonly string[],
  count: number,
): Promise<Row> {
  const { baseUrl: url } = fleet
  const requestsOf = (length: number) =>
    Array.from({ length }, (_, index) => wireRequest(path, keys[index % keys.length] ?? ''))
  const own = meteredProcess(service, fleet.member(service))
  await runClosedLoop({ url, connections, requests: requestsOf(warmUpRequests) })
  const readUsage = startMeter([own, meteredProcess('gateway', fleet.member('gateway'))])
  const load = await runClosedLoop({ url, connections, requests: requestsOf(count) })
  const usage = readUsage()
  const cpuUs = 1_000 * cpuPerRequest(usage, service, count)
  return {
    service,
    path,
    'CPU µs': cpuUs,
    'gateway CPU µs': 1_000 * cpuPerRequest(usage, 'gateway', count),
    'requests/s of one core': Math.round(1e6 / cpuUs),
    'memory MiB': residentMib(own.pid),
    'not 2xx': load.failures,
  }
}
