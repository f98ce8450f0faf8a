import type { ChildProcess } from 'node:child_process'
import { eventually, findFreePort, startTestFleet, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { Client } from 'pg'
import { startProcess } from './edge/start-process.ts'
import { mergeCounts, type RequestCounts, sendAtFixedRate, sendRequest } from './limits/fixed-rate-load.ts'
import { measureLimiterCosts } from './limits/limiter-cost.ts'
import { report } from './report.ts'
import { startServers } from './test-servers.ts'

const quota = 1500
const overload = 10
const path = '/v1/data/sources'
const splits = [
  { split: '90/9/1', parts: [0.9, 0.09, 0.01] },
  { split: 'even', parts: [1 / 3, 1 / 3, 1 / 3] },
]

/**
 * Three edges as processes, one workspace a split, ten times the requests it may make: how many are admitted in a whole
 * window, over how many are allowed. All splits at once, each in a workspace whose window begins soon; a minute and some
 * seconds. Then what the limiter costs a request.
 *
 * Options: `--cost` to measure the cost alone.
 */
export async function run(options: string[]): Promise<void> {
  const cost = await measureLimiterCosts()
  const admitted = options.includes('--cost') ? [] : await measureAdmissions()
  if (admitted.length > 0) report('limits', admitted, { quota, overload, cost })
  report('limits-cost', cost)
}

async function measureAdmissions(): Promise<Record<string, string | number>[]> {
  const servers = await startServers()
  const upstream = `http://127.0.0.1:${await findFreePort()}`
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth'],
    env: { gateway: { UPSTREAM: upstream, LOG_LEVEL: 'error' } },
  })
  const upstreamProcess = startUpstream(fleet, upstream)
  try {
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    await eventually(() => fetch(`${upstream}/stats`))
    const tenants = await chooseEarliestWindows(fleet, splits.length)
    return await Promise.all(splits.map(({ split, parts }, at) => measureSplit(edges, split, parts, tenants[at])))
  } finally {
    upstreamProcess.kill('SIGKILL')
    await fleet.stop()
    await servers.stop()
  }
}

function startUpstream(fleet: TestFleet, upstream: string): ChildProcess {
  return startProcess('upstream.ts', {
    PORT: new URL(upstream).port,
    ASSERTION_KEYS_FILE: fleet.env('auth').ASSERTION_KEYS_FILE ?? '',
  })
}

interface ChosenWorkspace {
  tenant: TestWorkspace
  /** When its window ends and the one that is measured begins. */
  beginsAt: number
}

/** Windows begin at different times for different workspaces: of several those that begin first, a little ahead. */
async function chooseEarliestWindows(fleet: TestFleet, count: number): Promise<ChosenWorkspace[]> {
  const tenants = await Promise.all(Array.from({ length: 24 }, (_, at) => fleet.seed(`bench-${at}`)))
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = $1', [quota])
  await database.end()
  const chosen: ChosenWorkspace[] = []
  for (const tenant of tenants) {
    const { endsAt } = await sendRequest(`${fleet.baseUrl}${path}`, { 'x-api-key': tenant.apiKey })
    if (endsAt > Date.now() + 4000) chosen.push({ tenant, beginsAt: endsAt })
  }
  return chosen.sort((a, b) => a.beginsAt - b.beginsAt).slice(0, count)
}

async function measureSplit(
  edges: readonly string[],
  split: string,
  parts: readonly number[],
  chosen: ChosenWorkspace | undefined,
): Promise<Record<string, string | number>> {
  if (chosen === undefined) throw new Error('there were too few workspaces')
  const { tenant, beginsAt } = chosen
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, beginsAt - Date.now() - 2000)))
  const rate = (quota * overload) / 60
  const headers = { 'x-api-key': tenant.apiKey }
  const outcomes = mergeCounts(
    await Promise.all(
      edges.map((baseUrl, at) =>
        sendAtFixedRate({ baseUrl, path, headers, rate: rate * (parts[at] ?? 0), seconds: 64 }),
      ),
    ),
  )
  const whole = Math.max(...[...outcomes.values()].map(({ sent }) => sent))
  const { sent, admitted, refused, other } =
    [...outcomes.values()].find((outcome) => outcome.sent === whole) ?? emptyCounts
  return {
    split,
    allowed: quota,
    sent,
    admitted,
    'refused (429)': refused,
    other,
    'admitted / allowed': admitted / quota,
  }
}

const emptyCounts: RequestCounts = { sent: 0, admitted: 0, refused: 0, other: 0 }
