import { afterAll, describe, expect, it } from '@jest/globals'
import { newWorkspace, startAuditHarness } from './fixture/harness.ts'

const mine = newWorkspace()
const audit = await startAuditHarness()
await audit.publish(mine.workspaceId)
await audit.waitForRecords(mine.workspaceId, 1)
afterAll(() => audit.stop())

const tables = ['audit_chains', 'audit_records', 'audit_personal_data', 'audit_targets']

describe("another workspace's log", () => {
  it.each(tables)('cannot be read even without a filter in the query: %s', async (table) => {
    const seen = async (workspaceId: string | null) =>
      (await audit.database.read({ workspaceId }, (_db, query) => query(`SELECT FROM ${table}`))).length
    expect(await seen(mine.workspaceId)).toBe(1)
    expect(await seen(newWorkspace().workspaceId)).toBe(0)
    expect(await seen('platform')).toBe(0)
    expect(await seen(null)).toBe(0)
  })

  it('cannot be written to', async () => {
    const stranger = { ...audit.caller, ...newWorkspace(), requestId: 'req-isolation' }
    const forge = `INSERT INTO audit_chains (workspace_id, seq, hash) VALUES ($1, 0, '')`
    await expect(audit.database.transact(stranger, ({ query }) => query(forge, [mine.workspaceId]))).rejects.toThrow(
      'row-level security',
    )
  })
})

describe('a recorded event', () => {
  const owner = () => ({ ...audit.caller, ...mine, requestId: 'req-own' })
  const changes = tables.slice(1).flatMap((table) => [`UPDATE ${table} SET id = 'x'`, `DELETE FROM ${table}`])

  it.each([...changes, 'DELETE FROM audit_chains', 'TRUNCATE audit_records'])(
    'cannot be changed or deleted by any role of the service: %s',
    async (statement) => {
      await expect(audit.database.transact(owner(), ({ query }) => query(statement))).rejects.toThrow(
        'permission denied',
      )
      await expect(audit.database.worker.query(statement)).rejects.toThrow('permission denied')
    },
  )

  it('cannot be added, nor a chain head changed, by the worker role', async () => {
    await expect(audit.database.worker.query('UPDATE audit_chains SET seq = 0')).rejects.toThrow('permission denied')
    for (const table of tables)
      await expect(audit.database.worker.query(`INSERT INTO ${table} SELECT * FROM ${table}`)).rejects.toThrow(
        'permission denied',
      )
  })
})
