import { setTimeout as pause } from 'node:timers/promises'
import type { TestWorkspace } from '@wp/testkit'
import { Agent, getGlobalDispatcher, request } from 'undici'
import { withEdgeFleet } from './edge/edge-fleet.ts'
import { setRateLimits } from './harness/fleet.ts'
import { atFixedRate, sendOnSchedule } from './harness/open-loop.ts'
import { type Row, report } from './harness/report.ts'

const quota = 1500
const overload = 10
const windowMs = 60_000
const path = '/v1/data/sources'
/** Shares of the three gateways in the requests of a workspace. */
const distributions = [
  { name: '90/9/1', shares: [0.9, 0.09, 0.01] },
  { name: 'even', shares: [1 / 3, 1 / 3, 1 / 3] },
]

/**
 * Measures how many requests three gateway processes admit in one window when a workspace sends ten times its quota,
 * for each distribution over the gateways. All distributions are measured at the same time, each with its own
 * workspace, which takes about two minutes.
 */
export async function run(): Promise<void> {
  await withEdgeFleet({}, async (fleet) => {
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    const loads: WorkspaceLoad[] = []
    for (const distribution of distributions)
      loads.push({ ...distribution, workspace: await fleet.seed(`bench-${loads.length}`) })
    await setRateLimits(fleet, quota)
    report('limits', await Promise.all(loads.map((load) => measureLoad(edges, load))), { quota, overload })
  })
}

type WorkspaceLoad = (typeof distributions)[number] & { workspace: TestWorkspace }

async function measureLoad(edges: readonly string[], { name, shares, workspace }: WorkspaceLoad): Promise<Row> {
  const { windowEnd: windowStart } = await send(edges[0] ?? '', workspace)
  await pause(Math.max(0, windowStart - Date.now() - 2000))
  const responses: Response[] = []
  await Promise.all(
    edges.map((baseUrl, index) => {
      const dispatcher = new Agent({ connections: 64 })
      return sendOnSchedule(atFixedRate(((quota * overload) / 60) * (shares[index] ?? 0), 64), {
        async send() {
          const response = await send(baseUrl, workspace, dispatcher)
          responses.push(response)
          return response.status
        },
      })
    }),
  )
  // Only the complete window; the load also reaches the ones before and after it. The header has whole seconds, so the
  // end of a window varies between responses.
  const inWindow = responses.filter(({ windowEnd }) => Math.abs(windowEnd - windowStart - windowMs) < windowMs / 4)
  const countOf = (status: number) => inWindow.filter((response) => response.status === status).length
  return {
    distribution: name,
    allowed: quota,
    sent: inWindow.length,
    admitted: countOf(200),
    'rejected (429)': countOf(429),
    other: inWindow.length - countOf(200) - countOf(429),
    'admitted / allowed': countOf(200) / quota,
  }
}

type Response = Awaited<ReturnType<typeof send>>

/** @returns also the end of the workspace's current window by the RateLimit header, in milliseconds since 1970 */
async function send(baseUrl: string, { apiKey }: TestWorkspace, dispatcher = getGlobalDispatcher()) {
  const { statusCode, headers, body } = await request(baseUrl + path, { headers: { 'x-api-key': apiKey }, dispatcher })
  await body.dump()
  const seconds = /"workspace";r=\d+;t=(\d+)/.exec(String(headers.ratelimit))?.[1]
  return { status: statusCode, windowEnd: Date.now() + Number(seconds) * 1000 }
}
