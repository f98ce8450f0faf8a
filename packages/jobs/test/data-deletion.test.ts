import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { serviceCaller } from '@wp/events'
import { eventually } from '@wp/testkit'
import { nextPosition, startOfPass } from '../src/data-deletion/delete-rows.ts'
import { createDeletionWorker, type DeletionWorkerOptions, startDataDeletion } from '../src/data-deletion/index.ts'
import { deletionOrder, planDeletion, type WorkspaceTable } from '../src/data-deletion/workspace-tables.ts'
import { openTestEnvironment, type TestEnvironment } from './fixture/test-environment.ts'

describe('deletionOrder', () => {
  const order = (references: Record<string, string[]>) =>
    deletionOrder(Object.entries(references).map(([name, to]) => ({ name, references: to }))).map(({ name }) => name)

  it.each([
    ['tables without references by name', { b: [], a: [] }, ['a', 'b']],
    ['a table before those it refers to', { a: [], b: ['a'], c: ['b'] }, ['c', 'b', 'a']],
    ['a table that refers to itself', { a: ['a'], b: ['a'] }, ['b', 'a']],
    ['a table that refers to one without workspaces', { a: ['users'], b: [] }, ['a', 'b']],
    ['tables in a circle last', { a: ['b'], b: ['a'], c: ['a'] }, ['c', 'a', 'b']],
  ])('returns %s', (_, references, expected) => {
    expect(order(references)).toEqual(expected)
  })
})

describe('nextPosition', () => {
  const tables = ['a', 'b']
  const final = startOfPass(true)

  it.each([
    ['stays at a table with further rows', startOfPass(false), 'a', 3, 0, { table: 'a', deletedInPass: 3 }],
    ['goes on with the pages of a table', startOfPass(false), 'a', 0, 64, { table: 'a', block: 64 }],
    ['goes on with the next table', startOfPass(false), 'a', 1, null, { table: 'b', block: 0, deletedInPass: 1 }],
    ['begins the final pass after the first one', startOfPass(false), 'b', 0, null, { isFinalPass: true, table: null }],
    [
      'repeats a final pass that found rows',
      final,
      'b',
      1,
      null,
      { isFinalPass: true, table: null, isComplete: false },
    ],
    ['is complete after a final pass without rows', final, 'b', 0, null, { isComplete: true }],
  ])('%s', (_, position, table, deleted, nextBlock, expected) => {
    expect(nextPosition(position, tables, table, { deleted, nextBlock })).toMatchObject(expected)
  })
})

describe('planDeletion', () => {
  const table = (name: string, role: WorkspaceTable['role']): WorkspaceTable => ({
    name,
    role,
    quoted: name,
    column: 'workspace_id',
    isIndexed: true,
    isPartitioned: false,
    blocks: 1,
    references: [],
  })

  it('keeps declared tables and fails for others that no role may delete from', () => {
    const found = [table('public.notes', 'app'), table('public.log', null)]
    expect(() => planDeletion(found)).toThrow('public.log')
    const { tables, retained } = planDeletion(found, { 'public.log': 'append-only' })
    expect(tables.map(({ name }) => name)).toEqual(['public.notes'])
    expect(retained).toEqual([{ table: 'public.log', reason: 'append-only' }])
  })
})

describe('the deletion worker', () => {
  let environment: TestEnvironment
  let workers: ReturnType<typeof createDeletionWorker>[]
  beforeAll(async () => {
    environment = await openTestEnvironment()
    await environment.queryAsAdmin(`
      CREATE TABLE parents (id text PRIMARY KEY, workspace_id text NOT NULL);
      CREATE INDEX ON parents (workspace_id);
      CREATE TABLE children (id serial PRIMARY KEY, workspace_id text NOT NULL,
        parent_id text NOT NULL REFERENCES parents ON DELETE RESTRICT, filler text NOT NULL DEFAULT repeat('x', 500));
      CREATE TABLE records_of_log (workspace_id text NOT NULL);
      CREATE TABLE steps (position serial, workspace text, deleted bigint);
      SELECT platform.protect('parents'); SELECT platform.protect('children'); SELECT platform.protect('records_of_log');
      REVOKE DELETE ON records_of_log FROM wp_app, wp_worker;
      CREATE FUNCTION record_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO public.steps (workspace, deleted) SELECT new.workspace_id, coalesce(sum(value::bigint), 0)
        FROM jsonb_each_text(new.deleted); RETURN new; END $$;
      CREATE TRIGGER steps AFTER UPDATE ON platform.workspace_data_deletions FOR EACH ROW EXECUTE FUNCTION record_step()`)
  })
  afterAll(() => environment?.close())
  beforeEach(async () => {
    workers = []
    await environment.queryAsAdmin(`TRUNCATE parents, children, records_of_log, steps, platform.outbox,
      platform.workspace_data_deletions, platform.jobs, platform.quota_limits`)
  })
  afterEach(() => Promise.all(workers.map((worker) => worker.stop())))

  /** Fills a workspace with parents, and with three children each. */
  const fill = (workspaceId: string, parents: number) =>
    environment.queryAsAdmin(`
      INSERT INTO parents SELECT '${workspaceId}_' || n, '${workspaceId}' FROM generate_series(1, ${parents}) AS n;
      INSERT INTO children (workspace_id, parent_id)
      SELECT '${workspaceId}', '${workspaceId}_' || n FROM generate_series(1, ${parents}) AS n, generate_series(1, 3);
      INSERT INTO records_of_log VALUES ('${workspaceId}');
      INSERT INTO platform.quota_limits (subject, quota, maximum) VALUES ('${workspaceId}', 'sources', 1);
      INSERT INTO platform.jobs (id, queue, workspace_id, input) VALUES ('job_${workspaceId}', 'sync', '${workspaceId}', '{}')`)

  const begin = (workspaceId: string, settleMs = 0) => {
    const deletion = { deletionId: `wdel_01h455vb4pex5vsknk084sn02${workspaceId.at(-1)}`, workspaceId, shard: 'test' }
    const caller = serviceCaller('data', { shard: 'test', workspaceId, requestId: 'request' })
    return environment.database.transact(caller, (tx) => startDataDeletion(tx, deletion, settleMs))
  }

  async function work(options: Partial<DeletionWorkerOptions> = {}) {
    const worker = createDeletionWorker({
      database: environment.database,
      service: 'data',
      policy: { retained: { 'public.records_of_log': 'append-only' } },
      limits: { rows: 10, blocks: 4 },
      pollMs: 20,
      log: environment.log,
      ...options,
    })
    workers.push(worker)
    await worker.start()
    return worker
  }

  const count = async (table: string, workspaceId: string) =>
    (
      await environment.queryAsAdmin<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = '${workspaceId}'`,
      )
    )[0]?.n
  const steps = () =>
    environment.queryAsAdmin<{ workspace: string; deleted: string }>(
      'SELECT workspace, deleted FROM steps ORDER BY position',
    )
  const report = (workspaceId: string) =>
    eventually(
      async () =>
        (
          await environment.queryAsAdmin<{ data: { deleted: Record<string, number>; retained: unknown[] } }>(
            `SELECT data FROM platform.outbox WHERE kind = 'WORKSPACE_DATA_DELETED' AND workspace_id = '${workspaceId}'`,
          )
        )[0]?.data,
      { description: `the report of ${workspaceId}` },
    )

  it('deletes all rows of the workspace in bounded steps, reports the numbers, and leaves other workspaces alone', async () => {
    await fill('ws_a', 40)
    await fill('ws_b', 5)
    await begin('ws_a')
    await work()
    const { deleted, retained } = (await report('ws_a')) ?? {}
    expect(deleted).toEqual({
      'public.children': 120,
      'public.parents': 40,
      'platform.jobs': 1,
      'platform.quota_limits': 1,
    })
    expect(retained).toContainEqual({ table: 'public.records_of_log', reason: 'append-only' })
    expect([await count('parents', 'ws_a'), await count('children', 'ws_a')]).toEqual([0, 0])
    expect(await count('records_of_log', 'ws_a')).toBe(1)
    expect([await count('parents', 'ws_b'), await count('children', 'ws_b')]).toEqual([5, 15])
    expect(await count('platform.jobs', 'ws_b')).toBe(1)
    const totals = (await steps()).map((step) => Number(step.deleted))
    expect(Math.max(...totals.map((total, index) => total - (totals[index - 1] ?? 0)))).toBe(10)
  })

  it('gives the workspaces turns, so that a small one does not wait for a large one', async () => {
    await fill('ws_a', 100)
    await fill('ws_b', 2)
    await begin('ws_a')
    await begin('ws_b')
    await work()
    await report('ws_a')
    const order = (await steps()).map((step) => step.workspace)
    expect(order.lastIndexOf('ws_b')).toBeLessThan(order.lastIndexOf('ws_a'))
    const first = order.slice(0, 2 * order.filter((name) => name === 'ws_b').length)
    expect(first.filter((name, index) => name === first[index - 1])).toEqual([])
  })

  it('goes on where it was after the process and its connections have ended', async () => {
    await fill('ws_a', 40)
    await begin('ws_a')
    const first = await work()
    await eventually(async () => (await steps()).length >= 3, { description: 'some steps' })
    await environment.queryAsAdmin(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await first.stop()
    await work({ database: environment.connect() })
    expect((await report('ws_a'))?.deleted).toMatchObject({ 'public.children': 120, 'public.parents': 40 })
    expect(await count('children', 'ws_a')).toBe(0)
    const reports = await environment.queryAsAdmin(`SELECT FROM platform.outbox WHERE kind = 'WORKSPACE_DATA_DELETED'`)
    expect(reports).toHaveLength(1)
  })

  it('reports only after a pass that follows the settling time and finds no row', async () => {
    await fill('ws_a', 1)
    await begin('ws_a', 3_600_000)
    await work()
    await eventually(async () => (await count('parents', 'ws_a')) === 0)
    const isWaiting = async () =>
      (
        await environment.queryAsAdmin<{ waits: boolean }>(
          `SELECT run_at = settles_at AND position ->> 'isFinalPass' = 'true' AS waits FROM platform.workspace_data_deletions`,
        )
      )[0]?.waits === true
    await eventually(isWaiting, { description: 'the deletion to wait' })
    await fill('ws_late', 0)
    await environment.queryAsAdmin(`INSERT INTO parents VALUES ('late', 'ws_a');
      UPDATE platform.workspace_data_deletions SET settles_at = now(), run_at = now()`)
    expect((await report('ws_a'))?.deleted).toMatchObject({ 'public.parents': 2 })
    expect(await count('parents', 'ws_a')).toBe(0)
  })

  it('cancels queued jobs when it starts', async () => {
    await fill('ws_a', 1)
    await begin('ws_a')
    expect(await environment.queryAsAdmin('SELECT state FROM platform.jobs')).toEqual([{ state: 'cancelled' }])
  })
})
