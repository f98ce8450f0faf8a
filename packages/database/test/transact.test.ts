import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isConnectionError, newId } from '../src/index.ts'
import { barrier, caller, createFixtureDatabase, type Fixture } from './fixture/database.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await createFixtureDatabase()
})
afterAll(() => fixture.drop())

const outbox = (workspaceId: string) =>
  fixture.queryAsAdmin('SELECT * FROM platform.outbox WHERE workspace_id = $1 ORDER BY position', [workspaceId])

const projects = async (workspaceId: string) =>
  (await fixture.queryAsAdmin('SELECT id FROM projects WHERE workspace_id = $1', [workspaceId])).length

const audit = {
  action: 'project.created',
  targetType: 'project',
  targetField: 'project_id',
  params: {},
}

describe('a transaction', () => {
  it('commits the change, its events and its audit event together', async () => {
    const known = caller({
      request: { endpointId: 'fixture.createProject', audit, ip: '198.51.100.7', userAgent: "O'Neill\\1" },
    })
    const workspaceId = known.workspaceId ?? ''
    const [project, run] = [newId('src'), newId('fr')]
    const before = Date.now()
    const result = await fixture.database.transact({ ...known, traceparent: '00-1-2-01' }, async (tx) => {
      await tx.db.project.create({ data: { id: project, workspaceId, name: 'Harbour' } })
      tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: run, status: 'finished' } })
      tx.emit({
        kind: 'AGENT_RUN_FINISHED',
        data: { id: 'run_1', status: 'finished', agent_id: 'agt_1' },
        id: 'evt_chosen',
      })
      tx.audit({ changes: { name: "it's" } })
      expect(await outbox(workspaceId)).toEqual([])
      return { project_id: project, name: 'Harbour' }
    })
    expect(result).toEqual({ project_id: project, name: 'Harbour' })
    const rows = await outbox(workspaceId)
    expect(rows.map(({ kind }) => kind)).toEqual(['FORECASTING_FINISHED', 'AGENT_RUN_FINISHED', 'AUDIT_RECORDED'])
    expect(rows[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      actor: known.principal,
      request_id: known.requestId,
      traceparent: '00-1-2-01',
      data: { id: run, status: 'finished' },
      published_at: null,
    })
    expect(rows[1]?.id).toBe('evt_chosen')
    expect(Math.abs(Number(rows[0]?.occurred_at) - before)).toBeLessThan(10_000)
    expect(rows[2]?.data).toEqual({
      action: 'project.created',
      actor: known.principal,
      targets: [{ type: 'project', id: project }],
      context: { ip: '198.51.100.7', user_agent: "O'Neill\\1", request_id: known.requestId },
      outcome: 'success',
      changes: { name: "it's" },
    })
  })

  it('leaves nothing when the work, an event or the audit fails', async () => {
    const workspaceId = newId('ws')
    const request = { endpointId: 'fixture.createProject', audit }
    const create = (after: (tx: { emit(event: never): void }) => unknown, known = caller({ workspaceId })) =>
      fixture.database.transact(known, async (tx) => {
        await tx.db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: 'fr_1', status: 'finished' } })
        return after(tx)
      })
    await expect(create(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    // Data of another shape than the kind's, past the type.
    await expect(create((tx) => tx.emit({ kind: 'FORECASTING_FINISHED', data: {} } as never))).rejects.toThrow('id')
    await expect(create(() => ({}), caller({ workspaceId, request }))).rejects.toThrow('finds no project_id')
    expect([await projects(workspaceId), await outbox(workspaceId)]).toEqual([0, []])
  })

  it('leaves nothing when the connection dies half way, and the next one works', async () => {
    const workspaceId = newId('ws')
    const dying = fixture.database.transact(caller({ workspaceId }), async ({ db, query }) => {
      await db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
      const [backend] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await fixture.queryAsAdmin('SELECT pg_terminate_backend($1)', [backend?.pid])
    })
    expect(await dying.catch(isConnectionError)).toBe(true)
    expect(await projects(workspaceId)).toBe(0)
    await fixture.database.transact(caller({ workspaceId }), ({ db }) =>
      db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } }),
    )
    expect(await projects(workspaceId)).toBe(1)
  })

  it('does not pretend to have committed when the work swallowed an error of the database', async () => {
    const workspaceId = newId('ws')
    const careless = fixture.database.transact(caller({ workspaceId }), async ({ db, query }) => {
      await db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
      await query('SELECT 1/0').catch(() => 'never mind')
    })
    await expect(careless).rejects.toThrow('went on after an error')
    expect(await projects(workspaceId)).toBe(0)
  })

  it('goes on as a workspace it just created', async () => {
    const created = newId('ws')
    await fixture.database.transact(caller({ workspaceId: null }), async (tx) => {
      expect(tx.workspaceId).toBeNull()
      await tx.switchWorkspace({ workspaceId: created, shard: 's1' })
      expect(tx.workspaceId).toBe(created)
      await tx.db.project.create({ data: { id: newId('src'), workspaceId: created, name: 'First' } })
      tx.audit({ action: 'workspace.created', targets: [{ type: 'workspace', id: created }] })
    })
    expect(await projects(created)).toBe(1)
    expect((await outbox(created)).map(({ kind }) => kind)).toEqual(['AUDIT_RECORDED'])
  })

  it('goes on as no workspace, and audits what else happened where it happened', async () => {
    const [first, second] = [newId('ws'), newId('ws')]
    const known = caller({ workspaceId: first })
    const user = { id: newId('usr'), type: 'user' as const }
    await fixture.database.transact(known, async (tx) => {
      await tx.switchWorkspace({ workspaceId: second, shard: 's2' })
      tx.emitAudit({ action: 'user.signed_in', targets: [{ type: 'user', id: user.id }] }, user)
      await tx.switchWorkspace(null)
      expect(await tx.query('SELECT FROM projects')).toEqual([])
      await tx.switchWorkspace({ workspaceId: first, shard: 's1' })
      tx.audit({ action: 'user.updated', targets: [] })
    })
    const actions = async (workspaceId: string) =>
      (await outbox(workspaceId)).map(({ data }) => data as Record<string, unknown>)
    const shards = async (workspaceId: string) => (await outbox(workspaceId)).map(({ shard }) => shard)
    expect([await shards(first), await shards(second)]).toEqual([[''], ['s2']])
    expect(await actions(second)).toEqual([expect.objectContaining({ action: 'user.signed_in', actor: user })])
    expect(await actions(first)).toEqual([expect.objectContaining({ action: 'user.updated', actor: known.principal })])
  })

  it('commits the facts of a request once', async () => {
    const known = caller({ request: { endpointId: 'fixture.createProject', audit } })
    const work = async () => ({ project_id: newId('src') })
    await fixture.database.transact(known, work)
    await expect(fixture.database.transact(known, work)).rejects.toThrow('without "request"')
  })
})

describe('what follows a commit', () => {
  it('happens after it and only after it, with the connection back', async () => {
    const heard: string[] = []
    const stop = fixture.database.onWake((queue) => heard.push(queue))
    const workspaceId = newId('ws')
    const write = (fail: boolean) =>
      fixture.database.transact(caller({ workspaceId }), async (tx) => {
        await tx.db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: 'fr_1', status: 'finished' } })
        tx.wake('syncs')
        tx.wake('syncs')
        tx.afterCommit(async () => {
          // A second connection would be refused inside.
          const count = await fixture.database.read({ workspaceId }, (db) => db.project.count())
          heard.push(`${count} committed`)
        })
        if (fail) throw new Error('no')
      })
    await expect(write(true)).rejects.toThrow('no')
    expect(heard).toEqual([])
    await write(false)
    expect(heard).toEqual(['syncs', 'outbox', '1 committed'])
    stop()
    await write(false)
    expect(heard).toEqual(['syncs', 'outbox', '1 committed', '2 committed'])
  })

  it('is said to the operator, not the caller, when it fails', async () => {
    const stop = fixture.database.onWake(() => {
      throw new Error('bus away')
    })
    await fixture.database.transact(caller(), async (tx) => {
      tx.wake('syncs')
      tx.afterCommit(() => Promise.reject(new Error('cache away')))
    })
    stop()
    expect(fixture.messages.filter((line) => line === 'an action after a commit failed')).toHaveLength(2)
  })
})

describe('two transactions that collide', () => {
  it('both come through: the one PostgreSQL gave up runs again, its events counted once', async () => {
    const workspaceId = newId('ws')
    const ids = [newId('src'), newId('src')]
    await fixture.database.transact(caller({ workspaceId }), ({ db }) =>
      db.project.createMany({ data: ids.map((id) => ({ id, workspaceId, name: 'Harbour' })) }),
    )
    const meet = barrier(2)
    let runs = 0
    const swap = (order: string[]) =>
      fixture.database.transact(caller({ workspaceId }), async (tx) => {
        runs++
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: 'fr_1', status: 'finished' } })
        tx.wake('syncs')
        for (const id of order) {
          await tx.db.project.update({ where: { id }, data: { size: { increment: 1 } } })
          await meet()
        }
      })
    await Promise.all([swap(ids), swap(ids.toReversed())])
    expect(runs).toBe(3)
    expect(await fixture.queryAsAdmin('SELECT size::int FROM projects WHERE workspace_id = $1', [workspaceId])).toEqual(
      [{ size: 2 }, { size: 2 }],
    )
    expect(await outbox(workspaceId)).toHaveLength(2)
  })

  it('is given up after four tries', async () => {
    let runs = 0
    const hopeless = fixture.database.transact(caller(), async ({ query }) => {
      runs++
      await query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`)
    })
    await expect(hopeless).rejects.toThrow('again')
    expect(runs).toBe(4)
  })
})
