import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '../src/index.ts'
import { caller, createFixtureDatabase, createProject } from './fixture/database.ts'

const fixture = await createFixtureDatabase()
afterAll(() => fixture.drop())

describe('row-level security', () => {
  it('hides rows from other workspaces when the query has no filter', async () => {
    const [mine, other] = [newId('ws'), newId('ws')]
    await createProject(fixture, mine)
    const seen = (workspaceId: string | null) =>
      fixture.database.read({ workspaceId }, async (db, query) => [
        (await db.project.findMany()).length,
        (await query('SELECT * FROM projects')).length,
      ])
    expect(await seen(mine)).toEqual([1, 1])
    expect(await seen(other)).toEqual([0, 0])
    expect(await seen(null)).toEqual([0, 0])
    // More reads than connections, so that each is used by several workspaces.
    const workspaceIds = Array.from({ length: 30 }, (_, nth) => [mine, other, null][nth % 3] ?? null)
    const rows = await Promise.all(
      workspaceIds.map((workspaceId) =>
        fixture.database.read({ workspaceId }, (_db, query) => query('SELECT * FROM projects', [], 'all')),
      ),
    )
    expect(rows.map(({ length }) => length)).toEqual(workspaceIds.map((workspaceId) => (workspaceId === mine ? 1 : 0)))
    const write = fixture.database.read({ workspaceId: mine }, (_db, query) => query('DELETE FROM projects'))
    await expect(write).rejects.toThrow('read-only')
  })

  it('rejects writing rows of another workspace, through Prisma and through SQL', async () => {
    const [mine, other] = [newId('ws'), newId('ws')]
    const { id } = await createProject(fixture, other)
    const foreign = { id: newId('src'), workspaceId: other, name: 'Foreign' }
    await expect(
      fixture.database.transact(caller({ workspaceId: mine }), ({ db }) => db.project.create({ data: foreign })),
    ).rejects.toThrow('row-level security')
    await expect(
      fixture.database.transact(caller({ workspaceId: mine }), ({ query }) =>
        query('INSERT INTO projects (id, workspace_id, name) VALUES ($1, $2, $3)', Object.values(foreign)),
      ),
    ).rejects.toThrow('row-level security')
    const changed = await fixture.database.transact(caller({ workspaceId: mine }), async ({ db }) => [
      await db.project.updateMany({ data: { name: 'Changed' } }),
      await db.project.deleteMany({ where: { id } }),
    ])
    expect(changed).toEqual([{ count: 0 }, { count: 0 }])
    expect(await fixture.queryAsAdmin('SELECT name FROM projects WHERE id = $1', [id])).toEqual([{ name: 'Harbour' }])
  })

  it('sets the workspace at every checkout of a connection', async () => {
    const single = await createFixtureDatabase({ poolSize: 1 })
    try {
      const mine = newId('ws')
      await createProject(single, mine)
      const backend = (workspaceId: string | null) =>
        single.database.read({ workspaceId }, async (_db, query) =>
          query(
            `SELECT pg_backend_pid() AS pid, current_setting('app.workspace_id') AS workspace, count(*) FROM projects`,
          ),
        )
      const [before] = await backend(mine)
      const [after] = await backend(null)
      expect(before).toMatchObject({ workspace: mine, count: 1 })
      expect(after).toEqual({ pid: before?.pid, workspace: '', count: 0 })
    } finally {
      await single.drop()
    }
  })

  it('shows all workspaces to the worker role', async () => {
    const [mine, other] = [newId('ws'), newId('ws')]
    await createProject(fixture, mine)
    await createProject(fixture, other)
    const { rows } = await fixture.database.worker.query(
      'SELECT workspace_id FROM projects WHERE workspace_id = ANY($1)',
      [[mine, other]],
    )
    expect(rows).toHaveLength(2)
  })

  it('shows tables without a workspace to every caller', async () => {
    const id = newId('plan')
    await fixture.database.transact(caller(), ({ db }) => db.plan.create({ data: { id, name: 'Small' } }))
    const plans = await fixture.database.read({ workspaceId: null }, (db) => db.plan.findMany({ where: { id } }))
    expect(plans).toEqual([{ id, name: 'Small' }])
  })
})
