import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { inNewWorkspace, startSystem, variables } from './fixture/system.ts'

const system = await startSystem()
afterAll(() => system.stop())

type Workspace = ReturnType<typeof inNewWorkspace>

const history = (name: string, caller: Workspace, query = '') =>
  system.request('GET', `${variables}/${name}/history${query}`, { caller })

describe('the history of a variable', () => {
  it('has every change, newest first, and outlives the variable', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'REGION', value: 'north' }, workspace)
    await system.put({ name: 'REGION', value: 'south' }, workspace)
    await system.remove('REGION', workspace)
    const { status, body } = await history('REGION', workspace)
    expect(status).toBe(200)
    const { id } = system.caller.principal
    expect(body.data).toMatchObject([
      { version: 3, action: 'deleted', value: null, secret: false, changed_by: id },
      { version: 2, action: 'set', value: 'south', secret: false, changed_by: id },
      { version: 1, action: 'set', value: 'north', secret: false, changed_by: id },
    ])
    await system.put({ name: 'REGION', value: 'east' }, workspace)
    expect((await history('REGION', workspace, '?limit=1')).body.data).toMatchObject([{ version: 4, value: 'east' }])
  })

  it('has no value of a secret, also after the variable is no longer secret', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'TOKEN', value: 'do-not-tell', secret: true }, workspace)
    await system.put({ name: 'TOKEN', value: 'open', secret: false }, workspace)
    const { body } = await history('TOKEN', workspace)
    expect(body.data).toMatchObject([
      { version: 2, value: 'open', secret: false },
      { version: 1, value: null, secret: true },
    ])
    const { rows } = await system.database.worker.query(
      `SELECT v::text AS whole FROM workspace_variable_versions v WHERE workspace_id = $1`,
      [workspace.workspaceId],
    )
    expect(JSON.stringify(rows)).not.toContain('do-not-tell')
  })

  it('is paginated, and keeps 100 versions', async () => {
    const workspace = inNewWorkspace()
    for (let value = 1; value <= 102; value += 1) await system.put({ name: 'COUNTER', value: String(value) }, workspace)
    const first = await history('COUNTER', workspace, '?limit=60')
    const second = await history('COUNTER', workspace, `?limit=60&cursor=${first.body.pagination.next_cursor}`)
    const versions = [...first.body.data, ...second.body.data].map(({ version }: { version: number }) => version)
    expect(versions).toEqual(Array.from({ length: 100 }, (_, index) => 102 - index))
    expect(second.body.pagination.next_cursor).toBeNull()
  })

  it('numbers concurrent changes without gaps or doubles', async () => {
    const workspace = inNewWorkspace()
    await Promise.all(Array.from({ length: 10 }, (_, n) => system.put({ name: 'RACED', value: String(n) }, workspace)))
    const { body } = await history('RACED', workspace)
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  it('is 404 for a variable that never existed, and for another workspace', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'MINE', value: 'x' }, workspace)
    expect(await history('NEVER', workspace)).toMatchObject(problemResponse(404, 'not_found'))
    expect(await history('MINE', inNewWorkspace())).toMatchObject(problemResponse(404, 'not_found'))
  })
})
