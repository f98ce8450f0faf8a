import { afterAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { eventually, runProgram } from '@wp/testkit'
import { erasePerson } from '../src/erase-person.ts'
import { startExportHarness } from './fixture/export-harness.ts'
import { newWorkspace } from './fixture/harness.ts'
import { testOperatorUrl } from './fixture/operator-url.ts'

const audit = await startExportHarness()
const url = testOperatorUrl(audit.env, 'erasure')
const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
afterAll(async () => {
  await database.close()
  await audit.stop()
})

/** Returns a person whose address and agent no other actor has. */
function newPerson() {
  const id = newId('usr')
  const mark = id.slice(-12)
  return { id, ip: `2001:db8::${mark}`, userAgent: `Agent/${mark}` }
}
type Person = ReturnType<typeof newPerson>

const eventData = ({ id, ip, userAgent }: Person) => ({
  actor: { id, type: 'user' },
  context: { ip, user_agent: userAgent, request_id: 'req-of-a-person' },
})

/** Returns the columns of all tables of the database, platform tables included, that contain one of the texts. */
async function findEverywhere({ ip, userAgent }: Person): Promise<string[]> {
  const columns = await audit.sql<{ table: string; column: string; type: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS table, format('%I', column_name) AS column, data_type AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  )
  expect(columns.length).toBeGreaterThan(80)
  const found = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`
    const rows = await audit.sql(`SELECT FROM ${table} WHERE strpos(${text}, $1) > 0 OR strpos(${text}, $2) > 0`, [
      ip,
      userAgent,
    ])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found.sort()
}

const runExport = async (caller: { workspaceId: string }, body: Record<string, unknown> = {}) => {
  const range = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }
  const id = await audit.start(caller, { ...range, ...body })
  expect(await audit.waitForEnd(id, caller)).toMatchObject({ status: 'finished' })
  return id
}

const statusOfContent = async (caller: { workspaceId: string }, id: string) => (await audit.content(id, caller)).status

describe('the erasure of a person', () => {
  it('leaves nothing of them in any table or export, and the chain verifies', async () => {
    const caller = newWorkspace()
    const { workspaceId } = caller
    const [person, other] = [newPerson(), newPerson()]
    await audit.publish(workspaceId, eventData(other))
    await audit.waitForRecords(workspaceId, 1)
    const earlier = await runExport(caller)
    for (let n = 0; n < 3; n += 1) await audit.publish(workspaceId, eventData(person))
    await eventually(async () => (await audit.list(`actor=${person.id}`, caller)).body.data.length === 3)
    await audit.publish(workspaceId, eventData(person), { producer: 'solutions' }) // becomes a dead letter
    await eventually(
      async () =>
        (await audit.sql('SELECT FROM platform.dead_events WHERE workspace_id = $1', [workspaceId])).length === 1,
    )
    const own = { ...caller, principal: { id: person.id, type: 'user' as const } }
    const containing = await runExport(own)
    const ofOther = await runExport(caller, { filters: { actor: other.id } })
    await audit.sql(
      `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data, published_at)
       VALUES ($1, 'AUDIT_RECORDED', $2, now(), $3, 'r', $4, now())`,
      [newId('evt'), workspaceId, { id: person.id, type: 'user' }, eventData(person)],
    )
    expect(await findEverywhere(person)).toEqual([
      'platform.dead_events.content',
      'platform.outbox.data',
      'public.audit_export_parts.content',
      'public.audit_personal_data.ip',
      'public.audit_personal_data.user_agent',
    ])

    const report = await erasePerson(database, { workspaceId, actorId: person.id })

    expect(report).toEqual({ records: expect.any(Number), exports: 1 })
    expect(await findEverywhere(person)).toEqual([])
    expect(await findEverywhere(other)).toContain('public.audit_personal_data.ip')
    expect([await statusOfContent(caller, earlier), await statusOfContent(caller, ofOther)]).toEqual([200, 200])
    expect(await statusOfContent(caller, containing)).toBe(410)
    const [record] = (await audit.list(`actor=${person.id}&action=data_source.created`, caller)).body.data
    expect(record).toMatchObject({ actor: { id: person.id }, context: { ip: null, user_agent: null } })
    await eventually(
      async () => (await audit.list('action=audit_log.personal_data_erased', caller)).body.data.length === 1,
    )
    const [erasure] = (await audit.list('action=audit_log.personal_data_erased', caller)).body.data
    expect(erasure).toMatchObject({
      actor: { id: 'audit-erasure', type: 'service' },
      targets: [{ type: 'user', id: person.id }],
      changes: report,
    })
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', erased: report.records })
  })

  it('does not touch the same person in another workspace, and can be repeated', async () => {
    const [caller, elsewhere] = [newWorkspace(), newWorkspace()]
    const person = newPerson()
    for (const { workspaceId } of [caller, elsewhere]) {
      await audit.publish(workspaceId, eventData(person))
      await audit.waitForRecords(workspaceId, 1)
    }
    const actor = { workspaceId: caller.workspaceId, actorId: person.id }
    expect(await erasePerson(database, actor)).toEqual({ records: 1, exports: 0 })
    expect(await erasePerson(database, actor)).toEqual({ records: 0, exports: 0 })
    const [record] = (await audit.list(`actor=${person.id}`, elsewhere)).body.data
    expect(record.context.ip).toBe(person.ip)
  })

  it('is a command that needs the role of operators and valid ids', async () => {
    const { workspaceId } = newWorkspace()
    const person = newPerson()
    await audit.publish(workspaceId, eventData(person))
    await audit.waitForRecords(workspaceId, 1)
    const run = (...options: string[]) =>
      runProgram('services/audit/src/erasure-main.ts', options, {
        DATABASE_ERASURE_URL: testOperatorUrl(audit.env, 'erasure'),
      })
    await expect(run('--workspace', workspaceId, '--actor', 'all')).rejects.toThrow(
      '--actor must be the id of an actor',
    )
    const { stdout } = await run('--workspace', workspaceId, '--actor', person.id)
    expect(stdout).toBe(`${person.id}: erased in 1 records, 0 exports deleted\n`)
  })
})

describe('the role of the erasure', () => {
  it.each([
    'SELECT ip FROM audit_personal_data',
    'SELECT changes FROM audit_records',
    'UPDATE audit_personal_data SET ip = NULL',
    'DELETE FROM audit_records',
    'DELETE FROM audit_targets',
    'UPDATE audit_chains SET seq = 0',
    'SELECT content FROM audit_export_parts',
    'DELETE FROM platform.outbox',
  ])('can neither read personal data nor change the chain: %s', async (statement) => {
    await expect(database.worker.query(statement)).rejects.toThrow('permission denied')
  })
})
