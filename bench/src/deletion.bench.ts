import { connectDatabase, type Database } from '@wp/database'
import { createDeletionWorker, type DeletionWorkerOptions, serviceCaller, startDataDeletion } from '@wp/events'
import { createTestDatabase, eventually, startTestServers, type TestDatabase } from '@wp/testkit'
import { Client } from 'pg'
import { numericOptions } from './harness/options.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'

const shard = 'bench'
const large = { workspaceId: 'ws_large', deletionId: 'wdel_01h455vb4pex5vsknk084sn02a' }
const small = { workspaceId: 'ws_small', deletionId: 'wdel_01h455vb4pex5vsknk084sn02b' }
const other = { workspaceId: 'ws_other' }
const smallRecords = 1_000
const recordsPerPosting = 4

/**
 * Measures the deletion of a workspace with many records from the database of the data service, beside that of a small
 * workspace that begins at the same time, and beside the records of others that stay. When half of the records are
 * deleted, the worker is stopped, and another process with connections of its own continues.
 *
 * Options: records of the workspace (default 1,000,000), of others (default 100,000).
 */
export async function run(options: string[]): Promise<void> {
  const [records = 1_000_000, otherRecords = 100_000] = numericOptions(options)
  const servers = await startTestServers()
  const database = await createTestDatabase('data')
  const admin = new Client({ connectionString: database.adminUrl })
  await admin.connect()
  const first = connect(database)
  const second = connect(database)
  try {
    await fill(admin, large.workspaceId, records)
    await fill(admin, small.workspaceId, smallRecords)
    await fill(admin, other.workspaceId, otherRecords)
    await admin.query('VACUUM ANALYZE')
    for (const { workspaceId, deletionId } of [large, small]) {
      const caller = serviceCaller('data', { shard, workspaceId, requestId: deletionId })
      await first.transact(caller, (tx) => startDataDeletion(tx, { deletionId, workspaceId, shard }, 0))
    }
    const steps = recordSteps()
    const smallEnded = waitForEnd(admin, small.deletionId)
    await work(first, steps, async () => (await deletedRecords(admin)) >= records / 2)
    const takenOverAt = await deletedRecords(admin)
    await work(second, steps, () => isFinished(admin, large.deletionId))
    const seconds = steps.elapsed()
    const left = await countRecords(admin)
    if (left !== otherRecords) throw new Error(`${left} records are left, not ${otherRecords}`)
    const deleted = await deletedRecords(admin)
    if (deleted !== records) throw new Error(`${deleted} records are reported as deleted, not ${records}`)
    const sorted = Float64Array.from(steps.milliseconds).sort()
    report(
      'deletion',
      [
        {
          name: 'a workspace',
          records,
          seconds,
          'records/s': Math.round(records / seconds),
          steps: sorted.length,
          'ms a step, median': quantile(sorted, 0.5),
          p99: quantile(sorted, 0.99),
          longest: sorted.at(-1) ?? 0,
        },
      ],
      { otherRecords, takenOverAt, 'seconds of a small workspace beside it': await smallEnded },
    )
  } finally {
    await Promise.all([first.close(), second.close(), admin.end()])
    await database.drop()
    await servers.stop()
  }
}

const connect = ({ url, workerUrl }: TestDatabase): Database =>
  connectDatabase({ url, workerUrl, prisma: () => ({}), shard, log: { warn() {}, error: console.error } })

/** Creates a source with records, and a posting for every few of them. */
async function fill(admin: Client, workspaceId: string, count: number): Promise<void> {
  await admin.query(
    `INSERT INTO data_sources (data_source_id, workspace_id, name, provider, config, sync_mode, schedule)
     VALUES ('src_' || $1, $1, 'bench', 'upload', '{}', 'full', '{}')`,
    [workspaceId],
  )
  await admin.query(
    `INSERT INTO data_records (record_id, workspace_id, data_source_id, key, data, bytes, title, text, document, words)
     SELECT 'rec_' || $1 || n, $1, 'src_' || $1, 'room ' || n, jsonb_build_object('room', 'room ' || n, 'people', n % 40),
       60, 'room ' || n, 'a room with ' || n % 40 || ' people', n, to_tsvector('simple', 'a room with people ' || n)
     FROM generate_series(1, $2::int) AS n`,
    [workspaceId, count],
  )
  await admin.query(
    `WITH index AS (INSERT INTO search_indexes (workspace_id, data_source_id) VALUES ($1, 'src_' || $1) RETURNING index_id)
     INSERT INTO search_postings (index_id, lexeme, segment, workspace_id, postings)
     SELECT index_id, 'word' || n, 1, $1, '\\x0000000000000000' FROM index, generate_series(1, $2::int / ${recordsPerPosting}) AS n`,
    [workspaceId, count],
  )
}

/** The durations of steps, which the worker counts one by one. */
function recordSteps() {
  const milliseconds: number[] = []
  const startedAt = performance.now()
  let last = startedAt
  const metrics: NonNullable<DeletionWorkerOptions['metrics']> = {
    count() {
      const now = performance.now()
      milliseconds.push(now - last)
      last = now
    },
    gauge() {},
    observe() {},
  }
  return {
    metrics,
    milliseconds,
    elapsed: () => (performance.now() - startedAt) / 1000,
    /** A pause between two workers is no step. */
    resume() {
      last = performance.now()
    },
  }
}

/** Runs the worker of one process until a condition holds. */
async function work(
  database: Database,
  steps: ReturnType<typeof recordSteps>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const log = { warn() {}, error: console.error }
  const worker = createDeletionWorker({ database, service: 'data', log, metrics: steps.metrics })
  steps.resume()
  await worker.start()
  await eventually(isDone, { timeoutMs: 3_600_000, intervalMs: 50 })
  await worker.stop()
}

async function waitForEnd(admin: Client, deletionId: string): Promise<number> {
  const startedAt = performance.now()
  await eventually(() => isFinished(admin, deletionId), { timeoutMs: 3_600_000, intervalMs: 50 })
  return (performance.now() - startedAt) / 1000
}

async function isFinished(admin: Client, deletionId: string): Promise<boolean> {
  const { rowCount } = await admin.query(
    'SELECT FROM platform.workspace_data_deletions WHERE deletion_id = $1 AND finished_at IS NOT NULL',
    [deletionId],
  )
  return rowCount === 1
}

async function deletedRecords(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ deleted: number }>(
    `SELECT coalesce((deleted ->> 'public.data_records')::int, 0) AS deleted FROM platform.workspace_data_deletions
     WHERE deletion_id = $1`,
    [large.deletionId],
  )
  return rows[0]?.deleted ?? 0
}

async function countRecords(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM data_records')
  return rows[0]?.count ?? 0
}
