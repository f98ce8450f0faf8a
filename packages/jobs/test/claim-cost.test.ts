import { afterAll, describe, expect, it } from '@jest/globals'
import { claimJobs, listWaiting, waitingStatement } from '../src/queue/claim.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'
import { queue } from './fixture/test-jobs.ts'

const queuedJobs = 100_000

const environment = await openTestEnvironment()
await environment.queryAsAdmin(
  `INSERT INTO platform.jobs (id, queue, workspace_id, input, run_at, state)
   SELECT 'busy_' || n, $1, 'ws_busy', '{}', now() - interval '1 hour' + n * interval '1 ms',
     CASE WHEN n > $2 THEN 'finished' ELSE 'queued' END
   FROM generate_series(1, 2 * $2::integer) AS n`,
  [queue, queuedJobs],
)
await environment.queryAsAdmin(
  `INSERT INTO platform.jobs (id, queue, workspace_id, input)
   SELECT 'quiet_' || n, $1, 'ws_quiet_' || n, '{}' FROM generate_series(1, 20) AS n`,
  [queue],
)
afterAll(() => environment.close())

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

describe(`a claim beside ${queuedJobs} queued jobs of one workspace`, () => {
  it.each([
    { statistics: 'without', plan: 'custom' },
    { statistics: 'without', plan: 'generic' },
    { statistics: 'with', plan: 'custom' },
    { statistics: 'with', plan: 'generic' },
  ])(
    'reads a few index pages for each workspace, $statistics table statistics and by a $plan plan',
    async ({ statistics, plan: mode }) => {
      if (statistics === 'with') await environment.queryAsAdmin('ANALYZE platform.jobs')
      const client = await environment.database.worker.connect()
      try {
        await client.query(`BEGIN; SET LOCAL plan_cache_mode = force_${mode}_plan`)
        await client.query(`PREPARE waiting (text, integer) AS ${waitingStatement}`)
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE waiting ('${queue}', 8)`,
        )
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        if (plan === undefined) throw new Error('the statement has no plan')
        const scans = flatten(plan).filter((node) => node['Node Type'] === 'Seq Scan')
        expect(scans.map((node) => node['Relation Name'])).not.toContain('jobs')
        // To find each of 21 workspaces, and its first job, an index probe reads about four pages.
        expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(400)
      } finally {
        await client.query('ROLLBACK; DEALLOCATE waiting')
        client.release()
      }
    },
  )

  it('serves every workspace before the second job of the busy one', async () => {
    const { worker } = environment.database
    const claimed: string[] = []
    while (claimed.length < 24) {
      const [first] = await listWaiting(worker, { queue, limit: 2 })
      if (first === undefined) throw new Error('no workspace waits')
      const grants = [{ workspaceId: first.workspaceId, jobs: 1, servedAt: first.servedAt }]
      const { leases } = await claimJobs(worker, { queue, grants, leaseMs: 60_000 })
      claimed.push(...leases.map(({ job }) => job.workspaceId))
    }
    expect(new Set(claimed.slice(0, 21)).size).toBe(21)
    expect(claimed.slice(21)).toEqual(['ws_busy', 'ws_busy', 'ws_busy'])
  })
})
