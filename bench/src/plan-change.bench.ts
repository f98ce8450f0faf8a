import { eventually, startTestFleet, startTestServers, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { plans } from '../../services/billing/src/plans/catalog.ts'
import { numericOption } from './harness/options.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'

const planCode = 'team'
const pollMs = 10

/**
 * Measures the time from the request that changes the plan of a workspace to the first answer of each of two edges with
 * the rate limits of the new plan. Both edges have cached the identity of the caller before.
 *
 * Options: changes, one after the other, each of another workspace (default 50).
 */
export async function run(options: string[]): Promise<void> {
  const changes = numericOption(options) ?? 50
  const plan = plans.find(({ code }) => code === planCode)
  const limit = plan?.limits.workspace_per_minute.billing
  if (plan === undefined || limit === undefined) throw new Error(`there is no plan ${planCode}`)
  const servers = await startTestServers()
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'billing'] })
  try {
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl]
    const times: number[][] = edges.map(() => [])
    let answered = 0
    for (let n = 0; n < changes; n += 1) {
      const workspace = await fleet.seed(`bench-${n}`)
      for (const edge of edges) await readLimit(edge, workspace)
      const startedAt = performance.now()
      const waits = edges.map((edge) => waitForLimit(edge, workspace, limit, startedAt))
      answered += await changePlan(fleet, workspace, plan.id)
      for (const [index, wait] of waits.entries()) times[index]?.push(await wait)
    }
    const rows = times.map((each, index) => {
      const sorted = Float64Array.from(each).sort()
      const [p50, p95, max] = [quantile(sorted, 0.5), quantile(sorted, 0.95), sorted.at(-1) ?? 0]
      return { name: `edge ${index + 1}`, changes, 'p50 ms': p50, 'p95 ms': p95, 'max ms': max }
    })
    report('plan-change', rows, { plan: planCode, pollMs, 'ms to answer the change, mean': answered / changes })
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

/** @returns the time to the answer, in milliseconds */
async function changePlan(fleet: TestFleet, { apiKey }: TestWorkspace, plan_id: string): Promise<number> {
  const startedAt = performance.now()
  const body = { plan_id }
  const { status } = await fleet.request('PATCH', '/v1/billing/subscription', { as: apiKey, body })
  if (status !== 200) throw new Error(`the plan was not changed: ${status}`)
  return performance.now() - startedAt
}

/** Returns the limit of a workspace for the billing service, as an edge reports it. */
async function readLimit(edge: string, { apiKey }: TestWorkspace): Promise<number> {
  const response = await fetch(`${edge}/v1/billing/plans`, { headers: { 'x-api-key': apiKey } })
  await response.arrayBuffer()
  return Number(/"workspace";q=(\d+)/.exec(response.headers.get('ratelimit-policy') ?? '')?.[1])
}

async function waitForLimit(edge: string, workspace: TestWorkspace, limit: number, startedAt: number): Promise<number> {
  await eventually(async () => (await readLimit(edge, workspace)) === limit, { timeoutMs: 60_000, intervalMs: pollMs })
  return performance.now() - startedAt
}
