import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inNewWorkspace, refused, type System, startSystem, variables } from './fixture/system.ts'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system.stop())

const rowsOf = async ({ workspaceId }: { workspaceId: string }) =>
  (
    await system.database.worker.query(
      'SELECT value, sealed, v::text AS whole FROM workspace_variables v WHERE workspace_id = $1',
      [workspaceId],
    )
  ).rows

describe('setting a variable', () => {
  it('is 201 with its address, then 200', async () => {
    const first = await system.put({ name: 'REGION', value: 'north' })
    expect(first).toMatchObject({
      status: 201,
      body: { success: true, data: { name: 'REGION', value: 'north', secret: false } },
    })
    expect(first.headers.get('location')).toBe(`http://localhost:4000${variables}/REGION`)
    const second = await system.put({ name: 'REGION', value: 'south' })
    expect(second).toMatchObject({ status: 200, body: { data: { name: 'REGION', value: 'south' } } })
    expect(second.headers.get('location')).toBeNull()
    expect(second.body.data.created_at).toBe(first.body.data.created_at)
    const read = await system.get('REGION')
    expect(read).toMatchObject({ status: 200, body: { data: second.body.data } })
  })

  it('creates once, however many set it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => system.put({ name: 'RACED', value: String(n) })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(9).fill(200), 201])
  })

  it('writes what the audit log keeps, without the value', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'AUDITED', value: 'do-not-tell', secret: true }, workspace)
    await system.remove('AUDITED', workspace)
    const { rows } = await system.database.worker.query(
      `SELECT kind, data FROM platform.outbox WHERE workspace_id = $1 ORDER BY position`,
      [workspace.workspaceId],
    )
    const targets = [{ type: 'workspace_variable', id: 'AUDITED' }]
    expect(rows).toMatchObject([
      { kind: 'AUDIT_RECORDED', data: { action: 'workspace_variable.set', targets, outcome: 'success' } },
      { kind: 'AUDIT_RECORDED', data: { action: 'workspace_variable.deleted', targets } },
    ])
    expect(JSON.stringify(rows)).not.toContain('do-not-tell')
  })
})

describe('a secret variable', () => {
  it('reads back null everywhere, and lies sealed', async () => {
    const workspace = inNewWorkspace()
    const made = await system.put({ name: 'TOKEN', value: 'correct horse battery', secret: true }, workspace)
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'TOKEN', value: null, secret: true } } })
    expect(await system.get('TOKEN', workspace)).toMatchObject({ body: { data: { value: null } } })
    expect((await system.list('', workspace)).body.data).toMatchObject([{ name: 'TOKEN', value: null }])
    const [row, ...others] = await rowsOf(workspace)
    expect(others).toEqual([])
    expect(row).toMatchObject({ value: null, sealed: expect.stringMatching(/^v1\.[0-9a-f]{8}\./) })
    expect(row.whole).not.toContain('correct horse battery')
  })

  it('seals the same text differently each time', async () => {
    const workspace = inNewWorkspace()
    for (const name of ['ONE', 'TWO']) await system.put({ name, value: 'same', secret: true }, workspace)
    const sealed = (await rowsOf(workspace)).map((row) => row.sealed)
    expect(new Set(sealed).size).toBe(2)
  })

  it('can become open, and open ones secret, leaving nothing of the other kind', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'TURNS', value: 'open words' }, workspace)
    await system.put({ name: 'TURNS', value: 'hidden words', secret: true }, workspace)
    expect(await rowsOf(workspace)).toMatchObject([{ value: null, sealed: expect.any(String) }])
    const open = await system.put({ name: 'TURNS', value: 'open again' }, workspace)
    expect(open).toMatchObject({ status: 200, body: { data: { value: 'open again', secret: false } } })
    expect(await rowsOf(workspace)).toMatchObject([{ value: 'open again', sealed: null }])
  })
})

describe('what is refused', () => {
  it.each(['', 'lower', '1ST', '_X', 'A-B', 'A B', 'Ä', 'A'.repeat(65), 'X\n'])('the name %j', async (name) => {
    expect(await system.put({ name, value: 'x' })).toMatchObject(refused(400, 'validation_failed', '/name'))
  })

  it.each(['A', 'A1_B', 'A'.repeat(64)])('but not the name %s', async (name) => {
    expect((await system.put({ name, value: 'x' })).status).toBeLessThan(300)
  })

  it('a value over 32 KiB, counted in bytes of UTF-8', async () => {
    const most = `${'€'.repeat(10_922)}xx`
    expect(Buffer.byteLength(most)).toBe(32_768)
    const put = (value: string) => system.put({ name: 'LARGE', value })
    expect(await put(most)).toMatchObject({ status: 201, body: { data: { value: most } } })
    expect(await put(`${most}x`)).toMatchObject(refused(400, 'validation_failed', '/value'))
    expect((await put('')).body.data.value).toBe('')
  })

  it('a missing or foreign field, a wrong type, NUL', async () => {
    expect(await system.put({ name: 'X' })).toMatchObject(refused(400, 'validation_failed', '/value'))
    const foreign = await system.put({ name: 'X', value: 'x', colour: 'red' })
    expect(foreign).toMatchObject(refused(400, 'validation_failed', '/colour'))
    expect(await system.put({ name: 'X', value: 1 })).toMatchObject(refused(400, 'validation_failed', '/value'))
    expect(await system.put({ name: 'X', value: 'a\0b' })).toMatchObject(refused(400, 'validation_failed', '/value'))
  })

  it('a caller without the scope', async () => {
    const reader = { scopes: ['workspace:read' as const] }
    expect(await system.put({ name: 'X', value: 'x' }, reader)).toMatchObject(refused(403, 'missing_scope'))
    const writer = { scopes: ['workspace:write' as const] }
    expect(await system.list('', writer)).toMatchObject(refused(403, 'missing_scope'))
  })
})

describe('removing a variable', () => {
  it('says what was removed; then there is none', async () => {
    await system.put({ name: 'GONE', value: 'x' })
    const removed = await system.remove('GONE')
    expect(removed).toMatchObject({ status: 200, body: { success: true, data: { name: 'GONE', deleted: true } } })
    expect(await system.remove('GONE')).toMatchObject(refused(404, 'not_found'))
    expect(await system.get('GONE')).toMatchObject(refused(404, 'not_found'))
    expect(await system.put({ name: 'GONE', value: 'again' })).toMatchObject({ status: 201 })
  })

  it('finds nothing under what cannot be a name', async () => {
    expect(await system.remove('gone')).toMatchObject(refused(404, 'not_found'))
  })
})
