import { auditRecorded, type DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import { type Bus, connectBus, publishEvent } from '@wp/events'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { report } from './report.ts'
import { startServers } from './test-servers.ts'

const writers = 50

/**
 * How fast the audit service appends to hash chains and verifies them, as a process of its own: a backlog of one
 * workspace, fifty writers at once to ten workspaces, and the verification of the first chain, whole, through the edge.
 * Beside it what PostgreSQL itself does: the same rows by bare INSERTs of a hundred, from the table into itself. Then one
 * record is altered, one removed, one inserted, and the verification shows what it names.
 *
 * Options: records (default 100,000).
 */
export async function run(options: string[]): Promise<void> {
  const records = Number(options.find((option) => /^\d+$/.test(option)) ?? 100_000)
  const servers = await startServers()
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'audit'] })
  const world = await connectAuditBench(fleet)
  try {
    const rows: Record<string, string | number>[] = []
    const measure = async (what: string, count: number, work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      const seconds = (performance.now() - began) / 1000
      rows.push({ what, records: count, 'records/s': Math.round(count / seconds), seconds })
    }
    const { workspaceId } = fleet.owner
    await world.waitForRecords(workspaceId, 1) // that it was seeded
    await fleet.member('audit').stop()
    await measure('published by 50 writers', records, () => world.publish([workspaceId], records))
    await fleet.restart('audit')
    await measure('appended, one workspace', records, () => world.waitForRecords(workspaceId, records + 1))
    await measure('bare INSERTs into the tables', records, () => world.insertBare(workspaceId, records))
    const ten = Array.from({ length: 10 }, () => newId('ws'))
    const live = Math.ceil(records / 10 / ten.length) * ten.length
    await measure('written and appended, 50 writers, 10 workspaces', live, async () => {
      await world.publish(ten, live)
      for (const each of ten) await world.waitForRecords(each, live / ten.length)
    })
    await measure('verified through the edge', records + 1, async () => expectOk(await world.verify()))
    const perSecond = (what: string) => Number(rows.find((row) => row.what === what)?.['records/s'])
    report('audit', rows, {
      records,
      'append of bare INSERTs': perSecond('appended, one workspace') / perSecond('bare INSERTs into the tables'),
      tampering: await measureTamperDetection(world, workspaceId, Math.floor(records / 2)),
    })
  } finally {
    await world.close()
    await fleet.stop()
    await servers.stop()
  }
}

interface Verdict {
  status: string
  checked: number
  problems: { kind: string; seq: number; detail: string }[]
}

interface AuditBench {
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  publish(workspaces: readonly string[], count: number): Promise<void>
  waitForRecords(workspaceId: string, count: number): Promise<void>
  insertBare(workspaceId: string, count: number): Promise<void>
  verify(): Promise<Verdict>
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
      const last = async () => Number((await sql(lastSequenceQuery, [workspaceId]))[0]?.seq ?? 0)
      await eventually(async () => (await last()) >= count, { timeoutMs: 600_000, intervalMs: 5 })
    },
    async insertBare(workspaceId, count) {
      const other = newId('ws')
      for (let from = 1; from <= count; from += 100) await sql(copyRecordsQuery(workspaceId, other, from, from + 99))
    },
    async verify() {
      const answer = await fleet.request('GET', '/v1/audit/logs/verify', { as: fleet.owner.apiKey })
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.data
    },
    async close() {
      await Promise.all([bus.close(), admin.end()])
    },
  }
}

const lastSequenceQuery = 'SELECT seq FROM audit_chains WHERE workspace_id = $1'

async function publish(bus: Bus, workspaces: readonly string[], count: number): Promise<void> {
  let told = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (told < count) {
        const workspaceId = workspaces[told % workspaces.length] ?? ''
        told += 1
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

/** The same rows once more, in another workspace. */
function copyRecordsQuery(workspaceId: string, other: string, from: number, to: number): string {
  const part = `FROM audit_records WHERE workspace_id = '${workspaceId}' AND seq BETWEEN ${from} AND ${to}`
  return `WITH records AS (
      INSERT INTO audit_records
      SELECT '${other}', seq, id, action, occurred_at, actor_id, actor_type, targets, request_id, outcome, changes,
             personal_hash, prev_hash, hash ${part} RETURNING id, targets
    ), personal AS (
      INSERT INTO audit_personal SELECT '${other}', id, repeat('0', 64), NULL, '198.51.100.7', NULL FROM records
    )
    INSERT INTO audit_targets SELECT '${other}', targets->0->>'id', id FROM records`
}

function expectOk({ status, problems }: Verdict): void {
  if (status !== 'ok') throw new Error(`the chain should verify: ${JSON.stringify(problems)}`)
}

/** Does to the chain what must not be done, one thing at a time, and shows what is said of it. */
async function measureTamperDetection(
  world: AuditBench,
  workspaceId: string,
  seq: number,
): Promise<Record<string, unknown>> {
  const one = `WHERE workspace_id = '${workspaceId}' AND seq = ${seq}`
  const alterations: Record<string, [deed: string, undo: string]> = {
    altered: [
      `UPDATE audit_records SET actor_id = 'usr_x' ${one}`,
      `UPDATE audit_records SET actor_id = (SELECT actor_id FROM kept) ${one}`,
    ],
    removed: [`DELETE FROM audit_records ${one}`, 'INSERT INTO audit_records SELECT * FROM kept'],
    inserted: [
      `INSERT INTO audit_records SELECT workspace_id, (SELECT max(seq) + 1 FROM audit_records WHERE workspace_id = '${workspaceId}'), 'log_x', action, occurred_at,
         actor_id, actor_type, targets, request_id, outcome, changes, personal_hash, prev_hash, hash FROM kept`,
      `DELETE FROM audit_records WHERE id = 'log_x'`,
    ],
  }
  await world.sql(`CREATE TEMP TABLE kept AS SELECT * FROM audit_records ${one}`)
  const said: Record<string, unknown> = {}
  for (const [name, [deed, undo]] of Object.entries(alterations)) {
    await world.sql(deed)
    const { status, problems } = await world.verify()
    said[name] = [status, ...problems.map(({ kind, seq: place, detail }) => `${kind} ${place}: ${detail}`)]
    await world.sql(undo)
  }
  expectOk(await world.verify())
  return said
}
