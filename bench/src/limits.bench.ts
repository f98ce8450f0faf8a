import type { TestFleet, TestWorkspace } from '@wp/testkit'
import { startTestServers } from '@wp/testkit'
import { setRateLimits, startEdgeFleet } from './edge/edge-fleet.ts'
import { report } from './harness/report.ts'
import { mergeCounts, type RequestCounts, sendAtFixedRate, sendRequest } from './limits/fixed-rate-load.ts'
import { measureLimiterCosts } from './limits/limiter-cost.ts'

const quota = 1500
const overload = 10
const path = '/v1/data/sources'
/** Shares of the three gateways in the requests of a workspace. */
const distributions = [
  { name: '90/9/1', shares: [0.9, 0.09, 0.01] },
  { name: 'even', shares: [1 / 3, 1 / 3, 1 / 3] },
]

/**
 * Measures how many requests three gateway processes admit in one window when a workspace sends ten times its quota,
 * for each distribution over the gateways, and the processor time of the rate limiter per request. All distributions
 * are measured at the same time, each with its own workspace, which takes a little more than a minute.
 *
 * Options: `--cost` to measure only the processor time.
 */
export async function run(options: string[]): Promise<void> {
  const cost = await measureLimiterCosts()
  const admitted = options.includes('--cost') ? [] : await measureAdmissions()
  if (admitted.length > 0) report('limits', admitted, { quota, overload, cost })
  report('limits-cost', cost)
}

async function measureAdmissions(): Promise<Record<string, string | number>[]> {
  const servers = await startTestServers()
  const { fleet, stop } = await startEdgeFleet()
  try {
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    const workspaces = await chooseWorkspaces(fleet, distributions.length)
    return await Promise.all(
      distributions.map(({ name, shares }, index) => measureDistribution(edges, name, shares, workspaces[index])),
    )
  } finally {
    await stop()
    await servers.stop()
  }
}

interface ChosenWorkspace {
  workspace: TestWorkspace
  /** Start of the measured window, in milliseconds since 1970. */
  windowStart: number
}

/** Creates workspaces, whose windows start at different times, and chooses those whose next window starts soonest. */
async function chooseWorkspaces(fleet: TestFleet, count: number): Promise<ChosenWorkspace[]> {
  const workspaces = await Promise.all(Array.from({ length: 24 }, (_, index) => fleet.seed(`bench-${index}`)))
  await setRateLimits(fleet, { workspace: quota })
  const candidates: ChosenWorkspace[] = []
  for (const workspace of workspaces) {
    const { windowEnd } = await sendRequest(`${fleet.baseUrl}${path}`, { 'x-api-key': workspace.apiKey })
    if (windowEnd > Date.now() + 4000) candidates.push({ workspace, windowStart: windowEnd })
  }
  return candidates.sort((a, b) => a.windowStart - b.windowStart).slice(0, count)
}

async function measureDistribution(
  edges: readonly string[],
  name: string,
  shares: readonly number[],
  chosen: ChosenWorkspace | undefined,
): Promise<Record<string, string | number>> {
  if (chosen === undefined) throw new Error('too few workspaces')
  const { workspace, windowStart } = chosen
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, windowStart - Date.now() - 2000)))
  const rate = (quota * overload) / 60
  const headers = { 'x-api-key': workspace.apiKey }
  const countsByWindow = mergeCounts(
    await Promise.all(
      edges.map((baseUrl, index) =>
        sendAtFixedRate({ baseUrl, path, headers, rate: rate * (shares[index] ?? 0), seconds: 64 }),
      ),
    ),
  )
  // only the complete window; the load also reaches the ones before and after it
  const [counts = noCounts] = [...countsByWindow.values()].sort((a, b) => b.sent - a.sent)
  return {
    distribution: name,
    allowed: quota,
    sent: counts.sent,
    admitted: counts.admitted,
    'rejected (429)': counts.rejected,
    other: counts.other,
    'admitted / allowed': counts.admitted / quota,
  }
}

const noCounts: RequestCounts = { sent: 0, admitted: 0, rejected: 0, other: 0 }
