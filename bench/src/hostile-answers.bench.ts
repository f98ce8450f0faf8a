import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SignerName } from '@wp/contracts'
import { heapLimitOf, processes } from '@wp/deploy/processes'
import { startTestFleet, startTestServers, type TestFleet, testAuthority } from '@wp/testkit'
import { memoryOf } from './edge/process-usage.ts'
import { startHelper } from './harness/helper-process.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'
import { responses } from './hostile-answers/responses.ts'
import { type SiteUrls, targets } from './hostile-answers/targets.ts'
import { send, type Workspace } from './neighbours/workspace.ts'

/**
 * Feeds hostile responses to every process that reads the outside, each with the heap limit of its manifest, and
 * reports what became of each, whether the process survived, and how it served another workspace in the same time.
 *
 * Options: names of targets (default all).
 */
export async function run(options: string[]): Promise<void> {
  const servers = await startTestServers()
  const authority = testAuthority()
  const { certificate, key } = authority.issue({ names: ['localhost', '127.0.0.1'] })
  const site = await startHelper(join(import.meta.dirname, 'hostile-answers/hostile-site.ts'), {
    CERTIFICATE: certificate,
    KEY: key,
  })
  const fleet = await startTestFleet({
    mode: 'processes',
    env: Object.fromEntries(
      Object.keys(processes).map((name) => [
        name,
        { NODE_OPTIONS: `--max-old-space-size=${heapLimitOf(name as SignerName)}` },
      ]),
    ),
    limits: 'default',
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: authority.file },
  })
  const urls = await site.call<SiteUrls>('urls')
  const rows = []
  for (const [name, target] of Object.entries(targets))
    if (options.length === 0 || options.some((option) => name.startsWith(option)))
      for (const [index, response] of Object.keys(responses).entries())
        rows.push(await feed(fleet, urls, { name, ...target }, response, `/${index}`))
  report('hostile-answers', rows)
  await fleet.stop()
  await site.stop()
  await servers.stop()
}

type NamedTarget = { name: string } & (typeof targets)[string]

async function feed(fleet: TestFleet, urls: SiteUrls, target: NamedTarget, response: string, path: string) {
  const { pid } = fleet.member(target.process)
  const monitor = startMonitor(fleet, target.process)
  const outcome = await target
    .read(workspaceOf(fleet, fleet.stranger), urls, path)
    .catch((error: unknown) => String(error))
  const { requests, failures, p95, max } = await monitor.stop()
  const isAlive = fleet.member(target.process).pid === pid && isRunning(pid)
  const row = {
    reader: target.name,
    response,
    outcome: outcome.slice(0, 60),
    alive: isAlive ? 'yes' : 'NO',
    memory: isAlive ? memoryOf(pid) : '',
    'served during it': `${requests - failures} of ${requests}`,
    'p95 ms': p95,
    'max ms': max,
  }
  process.stdout.write(`${JSON.stringify(row)}\n`)
  if (!isAlive) await fleet.restart(target.process)
  return row
}

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

const workspaceOf = ({ baseUrl }: TestFleet, { workspaceId, apiKey }: TestFleet['owner']): Workspace => ({
  baseUrl,
  workspaceId,
  apiKey,
  tokens: [],
})

const monitoredPaths = {
  auth: '/v1/auth/me',
  data: '/v1/data/sources',
  integrations: '/v1/integrations/integrations',
  'webhook-delivery': '/v1/webhooks/webhooks',
}

/** Requests of the other workspace, also if the response was rejected at once. */
const minRequests = 10

/** Reads from a process every 150 ms as another workspace. */
function startMonitor(fleet: TestFleet, name: keyof typeof monitoredPaths) {
  const times: number[] = []
  let failures = 0
  const inFlight = new Set<Promise<void>>()
  const timer = setInterval(() => {
    const startedAt = performance.now()
    const request: Promise<void> = send(workspaceOf(fleet, fleet.owner), 'GET', monitoredPaths[name])
      .then(
        ({ status }) => status === 200,
        () => false,
      )
      .then((isServed) => {
        times.push(performance.now() - startedAt)
        if (!isServed) failures += 1
        inFlight.delete(request)
      })
    inFlight.add(request)
  }, 150)
  return {
    async stop() {
      while (times.length < minRequests) await pause(100)
      clearInterval(timer)
      await Promise.all(inFlight)
      const sorted = Float64Array.from(times).sort()
      return { requests: times.length, failures, p95: quantile(sorted, 0.95), max: quantile(sorted, 1) }
    },
  }
}
