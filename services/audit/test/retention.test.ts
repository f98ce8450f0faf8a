import { afterAll, describe, expect, it } from '@jest/globals'
import { connectDatabase } from '@wp/database'
import { openDocumentSigner } from '@wp/service'
import { runProgram } from '@wp/testkit'
import { cutChains } from '../src/chain/cut-chain.ts'
import { newWorkspace, startAuditHarness } from './fixture/harness.ts'
import { testOperatorUrl } from './fixture/operator-url.ts'

const now = new Date('2020-06-01T00:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

const audit = await startAuditHarness()
const url = testOperatorUrl(audit.env, 'retention')
const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
afterAll(async () => {
  await database.close()
  await audit.stop()
})

/** Runs the retention with batches of three records. */
async function cut(defaultDays?: number) {
  const signer = await openDocumentSigner(audit.env.AUDIT_SIGNING_KEY_FILE ?? '')
  const reports = []
  for await (const report of cutChains({ database, signer, now: () => now, batchSize: 3 }, defaultDays))
    reports.push(report)
  return reports
}

/** Records events of these ages, in days, and sets the retention. */
async function record(ages: readonly number[], days?: number): Promise<string> {
  const { workspaceId } = newWorkspace()
  for (const age of ages) await audit.publish(workspaceId, {}, { event: { occurred_at: daysAgo(age) } })
  await audit.waitForRecords(workspaceId, ages.length)
  if (days !== undefined)
    await audit.sql('INSERT INTO audit_retention (workspace_id, days) VALUES ($1, $2)', [workspaceId, days])
  return workspaceId
}

const tenDays = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
const countOf = async (workspaceId: string, table: string) =>
  (await audit.sql(`SELECT FROM ${table} WHERE workspace_id = $1`, [workspaceId])).length

describe('the retention', () => {
  it('cuts records older than it, of every table, and the chain verifies from a signed anchor', async () => {
    const workspaceId = await record(tenDays, 5)
    const [fifth] = await audit.sql('SELECT hash FROM audit_records WHERE workspace_id = $1 AND seq = 5', [workspaceId])
    const other = await record(tenDays)
    expect(await cut()).toEqual([{ chain: workspaceId, cut: 5 }])
    await audit.waitForRecords(workspaceId, 7) // with those about the two batches
    for (const table of ['audit_records', 'audit_personal_data', 'audit_targets'])
      expect([table, await countOf(workspaceId, table)]).toEqual([table, 7])
    expect(await audit.verify(workspaceId)).toMatchObject({
      status: 'ok',
      checked: 7,
      first_seq: 6,
      last_seq: 12,
      anchor: { seq: 5, hash: fifth?.hash, cut_at: now.toISOString() },
    })
    expect(await audit.verify(other)).toMatchObject({ status: 'ok', checked: 10, anchor: null })
    const [newest] = (await audit.list('action=audit_log.cut', { workspaceId })).body.data
    expect(newest).toMatchObject({
      actor: { id: 'audit-retention', type: 'service' },
      targets: [{ type: 'audit_log', id: workspaceId }],
      changes: { through_seq: 5, records: 2, hash: fifth?.hash },
    })
    expect(await cut()).toEqual([])
  })

  it('continues an earlier cut, and may cut everything older than its own records', async () => {
    const workspaceId = await record(tenDays.slice(0, 9), 9)
    await cut()
    await audit.sql('UPDATE audit_retention SET days = 1 WHERE workspace_id = $1', [workspaceId])
    await audit.waitForRecords(workspaceId, 9)
    // The record about the first cut is newer than the clock of this test and remains.
    expect(await cut()).toEqual([{ chain: workspaceId, cut: 8 }])
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', first_seq: 10, anchor: { seq: 9 } })
    await audit.sql('UPDATE audit_retention SET days = 36500 WHERE workspace_id = $1', [workspaceId])
    await audit.publish(workspaceId)
    await audit.waitForRecords(workspaceId, 5)
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', checked: 5 })
  })

  it('applies the default to chains of which no retention is known, and otherwise keeps them', async () => {
    const workspaceId = await record(tenDays)
    expect(await cut()).toEqual([])
    expect(await cut(4)).toContainEqual({ chain: workspaceId, cut: 6 })
  })

  it('keeps records after one that is still kept, because a chain is cut at its beginning only', async () => {
    const workspaceId = await record([10, 2, 10, 10], 5)
    expect(await cut()).toEqual([{ chain: workspaceId, cut: 1 }])
  })

  it('refuses to cut a chain that was altered, and reports it', async () => {
    const workspaceId = await record(tenDays, 5)
    await audit.sql(`UPDATE audit_records SET actor_id = 'usr_x' WHERE workspace_id = $1 AND seq = 2`, [workspaceId])
    expect(await cut()).toEqual([{ chain: workspaceId, cut: 0, problem: expect.stringMatching('^altered 2') }])
    expect(await countOf(workspaceId, 'audit_records')).toBe(10)
    await audit.sql('DELETE FROM audit_retention WHERE workspace_id = $1', [workspaceId])
  })

  it('is found out when its anchor is missing, forged, put back or copied from another chain', async () => {
    const [workspaceId, other] = [await record(tenDays, 5), await record(tenDays, 5)]
    await cut()
    await Promise.all([workspaceId, other].map((one) => audit.waitForRecords(one, 7)))
    const setAnchor = (statement: string) => audit.sql(statement.replaceAll('$ws', `'${workspaceId}'`))
    const problems = async () =>
      (await audit.verify(workspaceId)).problems.map(({ kind, seq }: { kind: string; seq: number }) => `${kind} ${seq}`)
    await setAnchor('CREATE TABLE kept AS SELECT * FROM audit_anchors WHERE workspace_id = $ws')
    await setAnchor('DELETE FROM audit_records WHERE workspace_id = $ws AND seq = 6')
    expect(await problems()).toEqual(['missing 6'])
    await setAnchor('UPDATE audit_anchors SET seq = 6 WHERE workspace_id = $ws')
    expect(await problems()).toEqual(['missing 1', 'altered 6'])
    await setAnchor(
      `UPDATE audit_anchors a SET token = o.token FROM audit_anchors o WHERE a.workspace_id = $ws AND o.workspace_id = '${other}'`,
    )
    expect(await problems()).toEqual(['missing 1', 'altered 6'])
    expect((await cut()).map(({ chain, problem }) => [chain, problem])).toEqual([
      [workspaceId, expect.stringMatching('anchor')],
    ])
    await setAnchor('DELETE FROM audit_anchors WHERE workspace_id = $ws')
    expect(await problems()).toEqual(['missing 1'])
    await setAnchor('INSERT INTO audit_anchors SELECT * FROM kept')
    expect(await problems()).toEqual(['missing 6'])
    await setAnchor('DELETE FROM audit_retention WHERE workspace_id = $ws')
  })

  it('never disturbs a concurrent verification or writer', async () => {
    const workspaceId = await record(
      Array.from({ length: 30 }, () => 10),
      5,
    )
    const cutting = cut()
    const [, ...verified] = await Promise.all([
      cutting,
      ...Array.from({ length: 10 }, () => audit.verify(workspaceId)),
      audit.publish(workspaceId),
    ])
    for (const result of verified.slice(0, 10)) expect(result).toMatchObject({ status: 'ok', problems: [] })
    await audit.waitForRecords(workspaceId, 11) // ten batches and the one that was published
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', anchor: { seq: expect.any(Number) } })
  })

  it('is run by the command, which also sets the retention of a workspace', async () => {
    const workspaceId = await record([800, 700, 1])
    const env = {
      DATABASE_RETENTION_URL: testOperatorUrl(audit.env, 'retention'),
      AUDIT_SIGNING_KEY_FILE: audit.env.AUDIT_SIGNING_KEY_FILE ?? '',
    }
    const run = (variables: Record<string, string>, ...options: string[]) =>
      runProgram('services/audit/src/retention-main.ts', options, { ...env, ...variables })
    await run({}, '--workspace', workspaceId, '--days', '365')
    expect((await run({})).stdout).toMatch(new RegExp(`"chain":"${workspaceId}","cut":\\d`))
    await expect(run({ DATABASE_RETENTION_URL: '' })).rejects.toThrow('DATABASE_RETENTION_URL is missing')
  })
})

describe('the retention of the plan', () => {
  it('applies unless operators set another one', async () => {
    const workspaceId = await record(tenDays)
    await audit.sql(
      `INSERT INTO platform.plan_limits (workspace_id, plan, version, credential_per_minute, workspace_per_minute, quotas, audit_retention_days)
       VALUES ($1, 'team', 1, 600, '{}', '{}', 8)`,
      [workspaceId],
    )
    expect(await cut()).toEqual([{ chain: workspaceId, cut: 2 }])
    await audit.sql('INSERT INTO audit_retention (workspace_id, days) VALUES ($1, 6)', [workspaceId])
    expect(await cut()).toEqual([{ chain: workspaceId, cut: 2 }])
  })
})

describe('the role of the retention', () => {
  it.each([
    'INSERT INTO audit_records SELECT * FROM audit_records',
    `UPDATE audit_records SET actor_id = 'usr_x'`,
    `UPDATE audit_personal_data SET ip = NULL`,
    'UPDATE audit_chains SET seq = 0',
    'DELETE FROM audit_chains',
    'DELETE FROM audit_anchors',
    'SELECT * FROM platform.outbox',
  ])('cannot change what was recorded: %s', async (statement) => {
    await expect(database.worker.query(statement)).rejects.toThrow('permission denied')
  })

  it.each([
    'INSERT INTO audit_anchors SELECT * FROM audit_anchors',
    'UPDATE audit_anchors SET seq = 0',
    'DELETE FROM audit_anchors',
  ])('is needed to write anchors: no role of the service can %s', async (statement) => {
    const caller = { ...audit.caller, requestId: 'req-anchors' }
    await expect(audit.database.transact(caller, ({ query }) => query(statement))).rejects.toThrow('permission denied')
    await expect(audit.database.worker.query(statement)).rejects.toThrow('permission denied')
  })
})
