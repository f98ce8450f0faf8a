import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Audit, inNewWorkspace, startAudit } from './fixture/audit.ts'

let audit: Audit
const mine = inNewWorkspace()
beforeAll(async () => {
  audit = await startAudit()
  await audit.tell(mine.workspaceId)
  await audit.until(mine.workspaceId, 1)
})
afterAll(() => audit.stop())

const tables = ['audit_chains', 'audit_records', 'audit_personal', 'audit_targets']

describe("another workspace's log", () => {
  it.each(tables)('cannot be read with the filter of the store removed: %s', async (table) => {
    const seen = async (workspaceId: string | null) =>
      (await audit.database.read({ workspaceId }, (_db, query) => query(`SELECT FROM ${table}`))).length
    expect(await seen(mine.workspaceId)).toBe(1)
    expect(await seen(inNewWorkspace().workspaceId)).toBe(0)
    expect(await seen('platform')).toBe(0)
    expect(await seen(null)).toBe(0)
  })

  it('cannot be written to', async () => {
    const stranger = { ...audit.caller, ...inNewWorkspace(), requestId: 'req-isolation' }
    const forge = `INSERT INTO audit_chains (workspace_id, seq, hash) VALUES ($1, 0, '')`
    await expect(audit.database.transact(stranger, ({ query }) => query(forge, [mine.workspaceId]))).rejects.toThrow(
      'row-level security',
    )
  })
})

describe('what was recorded', () => {
  const owner = () => ({ ...audit.caller, ...mine, requestId: 'req-own' })
  const changes = tables.slice(1).flatMap((table) => [`UPDATE ${table} SET id = 'x'`, `DELETE FROM ${table}`])

  it.each([...changes, 'DELETE FROM audit_chains', 'TRUNCATE audit_records'])(
    'is changed by none of the service’s roles: %s',
    async (statement) => {
      await expect(audit.database.transact(owner(), ({ query }) => query(statement))).rejects.toThrow(
        'permission denied',
      )
      await expect(audit.database.worker.query(statement)).rejects.toThrow('permission denied')
    },
  )

  it('is neither added to, nor its end moved, by the role that sees all workspaces', async () => {
    await expect(audit.database.worker.query('UPDATE audit_chains SET seq = 0')).rejects.toThrow('permission denied')
    for (const table of tables)
      await expect(audit.database.worker.query(`INSERT INTO ${table} SELECT * FROM ${table}`)).rejects.toThrow(
        'permission denied',
      )
  })
})
