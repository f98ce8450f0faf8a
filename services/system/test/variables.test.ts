import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { inNewWorkspace, startSystem, variables } from './fixture/system.ts'

const system = await startSystem()
afterAll(() => system.stop())

const rowsOf = async ({ workspaceId }: { workspaceId: string }) =>
  (
    await system.database.worker.query(
      'SELECT value, sealed, v::text AS whole FROM workspace_variables v WHERE workspace_id = $1',
      [workspaceId],
    )
  ).rows

describe('putting a variable', () => {
  it('is 201 with its location the first time, then 200', async () => {
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

  it('is 201 once when several requests put it at the same time', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => system.put({ name: 'RACED', value: String(n) })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(9).fill(200), 201])
  })

  it('emits an audit event without the value', async () => {
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
  it('stays secret when a new value does not say if it is', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'KEY', value: 'first', secret: true }, workspace)
    const replaced = await system.put({ name: 'KEY', value: 'second' }, workspace)
    expect(replaced.body.data).toMatchObject({ value: null, secret: true })
    expect(await rowsOf(workspace)).toMatchObject([{ value: null, sealed: expect.any(String) }])
  })

  it('has the value null in every response, and is stored sealed', async () => {
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

  it('has a different sealed value each time for the same text', async () => {
    const workspace = inNewWorkspace()
    for (const name of ['ONE', 'TWO']) await system.put({ name, value: 'same', secret: true }, workspace)
    const sealed = (await rowsOf(workspace)).map((row) => row.sealed)
    expect(new Set(sealed).size).toBe(2)
  })

  it('can become plain, and a plain one secret, without a remaining value of the other kind', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'TURNS', value: 'open words' }, workspace)
    await system.put({ name: 'TURNS', value: 'hidden words', secret: true }, workspace)
    expect(await rowsOf(workspace)).toMatchObject([{ value: null, sealed: expect.any(String) }])
    const open = await system.put({ name: 'TURNS', value: 'open again', secret: false }, workspace)
    expect(open).toMatchObject({ status: 200, body: { data: { value: 'open again', secret: false } } })
    expect(await rowsOf(workspace)).toMatchObject([{ value: 'open again', sealed: null }])
  })
})

describe('a variable', () => {
  it.each(['', 'lower', '1ST', '_X', 'A-B', 'A B', 'Ä', 'A'.repeat(65), 'X\n'])(
    'is rejected with the name %j',
    async (name) => {
      expect(await system.put({ name, value: 'x' })).toMatchObject(problemResponse(400, 'validation_failed', '/name'))
    },
  )

  it.each(['A', 'A1_B', 'A'.repeat(64)])('is accepted with the name %s', async (name) => {
    expect([200, 201]).toContain((await system.put({ name, value: 'x' })).status)
  })

  it('is rejected with a value over 32 KiB of UTF-8', async () => {
    const most = `${'€'.repeat(10_922)}xx`
    expect(Buffer.byteLength(most)).toBe(32_768)
    const put = (value: string) => system.put({ name: 'LARGE', value })
    expect(await put(most)).toMatchObject({ status: 201, body: { data: { value: most } } })
    expect(await put(`${most}x`)).toMatchObject(problemResponse(400, 'validation_failed', '/value'))
    expect((await put('')).body.data.value).toBe('')
  })

  it('is rejected with a missing or unknown field, a wrong type, or NUL', async () => {
    expect(await system.put({ name: 'X' })).toMatchObject(problemResponse(400, 'validation_failed', '/value'))
    const foreign = await system.put({ name: 'X', value: 'x', colour: 'red' })
    expect(foreign).toMatchObject(problemResponse(400, 'validation_failed', '/colour'))
    expect(await system.put({ name: 'X', value: 1 })).toMatchObject(problemResponse(400, 'validation_failed', '/value'))
    expect(await system.put({ name: 'X', value: 'a\0b' })).toMatchObject(
      problemResponse(400, 'validation_failed', '/value'),
    )
  })

  it('is rejected with 403 when the caller lacks the scope', async () => {
    const reader = { scopes: ['workspace:read' as const] }
    expect(await system.put({ name: 'X', value: 'x' }, reader)).toMatchObject(problemResponse(403, 'missing_scope'))
    const writer = { scopes: ['workspace:write' as const] }
    expect(await system.list('', writer)).toMatchObject(problemResponse(403, 'missing_scope'))
  })
})

describe('deleting a variable', () => {
  it('responds with its name, after which it is not found', async () => {
    await system.put({ name: 'GONE', value: 'x' })
    const removed = await system.remove('GONE')
    expect(removed).toMatchObject({ status: 200, body: { success: true, data: { name: 'GONE', deleted: true } } })
    expect(await system.remove('GONE')).toMatchObject(problemResponse(404, 'not_found'))
    expect(await system.get('GONE')).toMatchObject(problemResponse(404, 'not_found'))
    expect(await system.put({ name: 'GONE', value: 'again' })).toMatchObject({ status: 201 })
  })

  it('is 404 when the name is malformed', async () => {
    expect(await system.remove('gone')).toMatchObject(problemResponse(404, 'not_found'))
  })
})
