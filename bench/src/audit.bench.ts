import { auditRecorded, type DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import { type Bus, connectBus, publishEvent } from '@wp/events'
import { eventually, startTestFleet, startTestServers, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { numericOption } from './harness/options.ts'
import { report } from './harness/report.ts'

const writers = 50
const baseline = 'bare INSERTs'

/**
 * Measures how fast the audit service appends records to hash chains and verifies them: a backlog of one workspace,
 * fifty concurrent writers to ten workspaces, and the verification of one complete chain through the gateway. The
 * baseline copies the same rows within the tables with INSERTs of a hundred rows. Then a record is changed, deleted,
 * and added, and the benchmark reports what the verification finds.
 *
 * Options: records (default 100,000).
 */
export async function run(options: string[]): Promise<void> {
  const records = numericOption(options) ?? 100_000
  const servers = await startTestServers()
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'audit'] })
  const bench = await connectAuditBench(fleet)
  try {
    const rows: Record<string, string | number>[] = []
    const measure = async (name: string, count: number, work: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await work()
      const seconds = (performance.now() - startedAt) / 1000
      rows.push({ name, records: count, 'records/s': Math.round(count / seconds), seconds })
    }
    const { workspaceId } = fleet.owner
    await bench.waitForRecords(workspaceId, 1) // of its seed
    await fleet.member('audit').stop()
    await measure('published by 50 writers', records, () => bench.publish([workspaceId], records))
    await fleet.restart('audit')
    await measure('appended, one workspace', records, () => bench.waitForRecords(workspaceId, records + 1))
    await measure(baseline, records, () => bench.copyRecords(workspaceId, records))
    const workspaces = Array.from({ length: 10 }, () => newId('ws'))
    const liveCount = Math.ceil(records / 10 / workspaces.length) * workspaces.length
    await measure('published and appended, 50 writers, 10 workspaces', liveCount, async () => {
      await bench.publish(workspaces, liveCount)
      for (const id of workspaces) await bench.waitForRecords(id, liveCount / workspaces.length)
    })
    await measure('verified through the gateway', records + 1, async () => checkVerified(await bench.verify()))
    const perSecondOf = (name: string) => Number(rows.find((row) => row.name === name)?.['records/s'])
    report('audit', rows, {
      records,
      'appended / bare INSERTs': perSecondOf('appended, one workspace') / perSecondOf(baseline),
      tampering: await measureTamperDetection(bench, workspaceId, Math.floor(records / 2)),
    })
  } finally {
    await bench.close()
    await fleet.stop()
    await servers.stop()
  }
}

interface Verification {
  status: string
  checked: number
  problems: { kind: string; seq: number; detail: string }[]
}

interface AuditBench {
  /** Runs a query in the audit service's database, as superuser. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Publishes events of the workspaces in turn, `writers` at a time. */
  publish(workspaces: readonly string[], count: number): Promise<void>
  waitForRecords(workspaceId: string, count: number): Promise<void>
  /** Copies the records of a workspace to a new one. */
  copyRecords(workspaceId: string, count: number): Promise<void>
  verify(): Promise<Verification>
  close(): Promise<void>
}

async function connectAuditBench(fleet: TestFleet): Promise<AuditBench> {
  const admin = new Client({ connectionString: fleet.databases.get('audit')?.adminUrl })
  await admin.connect()
  const { NATS_URL: servers = '', SHARD: shard = '' } = fleet.env('audit')
  const bus = await connectBus({ servers, shard, name: 'bench', log: { warn() {}, error() {} } })
  await eventually(() => bus.isConnected)
  const sql = async (text: string, values: unknown[] = []) => (await admin.query(text, values)).rows
  return {
    sql,
    publish: (workspaces, count) => publish(bus, workspaces, count),
    async waitForRecords(workspaceId, count) {
      const readLastSeq = async () => Number((await sql(lastSeqQuery, [workspaceId]))[0]?.seq ?? 0)
      await eventually(async () => (await readLastSeq()) >= count, { timeoutMs: 600_000, intervalMs: 5 })
    },
    async copyRecords(workspaceId, count) {
      const target = newId('ws')
      for (let from = 1; from <= count; from += 100) await sql(copyRecordsQuery(workspaceId, target, from, from + 99))
    },
    verify: () => verifyAll(fleet),
    async close() {
      await Promise.all([bus.close(), admin.end()])
    },
  }
}

/** Verifies the chain of the owner's workspace, request by request from its end. */
async function verifyAll(fleet: TestFleet): Promise<Verification> {
  const whole: Verification = { status: 'ok', checked: 0, problems: [] }
  for (let query = ''; ; ) {
    const { status, body } = await fleet.request('GET', `/v1/audit/logs/verify${query}`, { as: fleet.owner.apiKey })
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    const { status: result, checked, problems, next_to_seq: next } = body.data
    if (result !== 'ok') whole.status = result
    whole.checked += checked
    whole.problems.unshift(...problems)
    if (next === null) return whole
    query = `?to_seq=${next}`
  }
}

const lastSeqQuery = 'SELECT seq FROM audit_chains WHERE workspace_id = $1'

async function publish(bus: Bus, workspaces: readonly string[], count: number): Promise<void> {
  let published = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (published < count) {
        const workspaceId = workspaces[published % workspaces.length] ?? ''
        published += 1
        await publishEvent(bus, 'data', eventOf(workspaceId))
      }
    }),
  )
}

function eventOf(workspaceId: string): DomainEvent {
  const { actor, context } = auditRecorded.example
  const data = { ...auditRecorded.example, targets: [{ type: 'data_source', id: newId('src') }] }
  return {
    id: newId('evt'),
    kind: auditRecorded.kind,
    workspace_id: workspaceId,
    occurred_at: new Date().toISOString(),
    actor,
    request_id: context.request_id,
    traceparent: null,
    data,
  }
}

/** Returns a query that copies records of a workspace to another one. */
function copyRecordsQuery(workspaceId: string, target: string, from: number, to: number): string {
  const source = `FROM audit_records WHERE workspace_id = '${workspaceId}' AND seq BETWEEN ${from} AND ${to}`
  return `WITH records AS (
      INSERT INTO audit_records
      SELECT '${target}', seq, id, action, occurred_at, actor_id, actor_type, targets, request_id, outcome, changes,
             personal_hash, prev_hash, hash ${source} RETURNING id, targets
    ), personal AS (
      INSERT INTO audit_personal SELECT '${target}', id, repeat('0', 64), NULL, '198.51.100.7', NULL FROM records
    )
    INSERT INTO audit_targets SELECT '${target}', targets->0->>'id', id FROM records`
}

function checkVerified({ status, problems }: Verification): void {
  if (status !== 'ok') throw new Error(`verification failed: ${JSON.stringify(problems)}`)
}

/** Tampers with the chain in several ways, one at a time, and returns what the verification reports for each. */
async function measureTamperDetection(
  bench: AuditBench,
  workspaceId: string,
  seq: number,
): Promise<Record<string, unknown>> {
  const condition = `WHERE workspace_id = '${workspaceId}' AND seq = ${seq}`
  const changes: Record<string, [change: string, undo: string]> = {
    changed: [
      `UPDATE audit_records SET actor_id = 'usr_x' ${condition}`,
      `UPDATE audit_records SET actor_id = (SELECT actor_id FROM original) ${condition}`,
    ],
    deleted: [`DELETE FROM audit_records ${condition}`, 'INSERT INTO audit_records SELECT * FROM original'],
    added: [
      `INSERT INTO audit_records SELECT workspace_id, (SELECT max(seq) + 1 FROM audit_records WHERE workspace_id = '${workspaceId}'), 'log_x', action, occurred_at,
         actor_id, actor_type, targets, request_id, outcome, changes, personal_hash, prev_hash, hash FROM original`,
      `DELETE FROM audit_records WHERE id = 'log_x'`,
    ],
  }
  await bench.sql(`CREATE TEMP TABLE original AS SELECT * FROM audit_records ${condition}`)
  const reports: Record<string, unknown> = {}
  for (const [name, [change, undo]] of Object.entries(changes)) {
    await bench.sql(change)
    const { status, problems } = await bench.verify()
    reports[name] = [status, ...problems.map((problem) => `${problem.kind} ${problem.seq}: ${problem.detail}`)]
    await bench.sql(undo)
  }
  checkVerified(await bench.verify())
  return reports
}
