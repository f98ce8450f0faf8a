import { setTimeout as pause } from 'node:timers/promises'
import { type SignerName, signerNames } from '@wp/contracts'
import { startTestFleet, startTestServers, type TestFleet } from '@wp/testkit'
import { createApiKeys } from './edge/create-credentials.ts'
import { cpuMicroseconds, residentBytes } from './edge/process-usage.ts'
import { runClosedLoop } from './harness/load.ts'
import { numericOption } from './harness/options.ts'
import { report } from './harness/report.ts'

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
 * request of each service. The processor requests of the Kubernetes manifests are derived from it.
 *
 * Options: requests of each service (default 3,000).
 */
export async function run(options: string[]): Promise<void> {
  const count = numericOption(options) ?? 3_000
  const servers = await startTestServers()
  const fleet = await startTestFleet({ mode: 'processes' })
  try {
    const keys = await createApiKeys(fleet, 100)
    const idle = await measureIdle(fleet)
    const rows = []
    for (const service of signerNames) {
      const path = paths[service]
      if (path !== undefined) rows.push(await measureRequests(fleet, service, path, keys, count))
    }
    report('requests', rows, { count, connections, idle })
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

/** Returns the processor time of each process without requests, in milliseconds per second, and its memory in MiB. */
async function measureIdle(fleet: TestFleet): Promise<Record<string, { cpuMsPerSecond: number; memoryMiB: number }>> {
  const pids = signerNames.map((name) => ({ name, pid: fleet.member(name).pid }))
  const before = pids.map(({ pid }) => cpuMicroseconds(pid))
  await pause(idleMs)
  return Object.fromEntries(
    pids.map(({ name, pid }, index) => [
      name,
      {
        cpuMsPerSecond: (cpuMicroseconds(pid) - (before[index] ?? 0)) / idleMs,
        memoryMiB: Math.round(residentBytes(pid) / 2 ** 20),
      },
    ]),
  )
}

async function measureRequests(
  fleet: TestFleet,
  service: SignerName,
  path: string,
  keys: readonly string[],
  count: number,
): Promise<Record<string, string | number>> {
  const port = Number(new URL(fleet.baseUrl).port)
  const createRequests = (length: number) =>
    Array.from({ length }, (_, index) =>
      Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${keys[index % keys.length]}\r\n\r\n`),
    )
  const pids = [service, 'gateway' as const].map((name) => fleet.member(name).pid)
  await runClosedLoop({ port, connections, requests: createRequests(warmUpRequests) })
  const before = pids.map(cpuMicroseconds)
  const load = await runClosedLoop({ port, connections, requests: createRequests(count) })
  const [own = 0, edge = 0] = pids.map((pid, index) => (cpuMicroseconds(pid) - (before[index] ?? 0)) / count)
  return {
    service,
    path,
    'CPU µs': own,
    'gateway CPU µs': edge,
    'requests/s of one core': Math.round(1e6 / own),
    'memory MiB': Math.round(residentBytes(pids[0]) / 2 ** 20),
    'not 2xx': load.failures,
  }
}
