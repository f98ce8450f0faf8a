import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { RequestCaller } from '@wp/contracts'
import { noLog } from '@wp/runtime'
import type { PoolClient } from 'pg'
import { type FairPool, openFairPool } from '../../src/connection/fair-pool.ts'
import { createScopedClient } from '../../src/connection/scoped-client.ts'
import type { ScopedConnection } from '../../src/connection/scoped-connection.ts'
import { ConcurrentChangeError, isConnectionError, newId, retryOnConflict } from '../../src/index.ts'
import { TransactionRunner } from '../../src/transaction/transaction-runner.ts'
import { barrier, caller, createFixtureDatabase } from '../fixture/database.ts'

const fixture = await createFixtureDatabase()
const pool = openFairPool({ url: fixture.url, size: 2, name: 'breaking', readOnly: true, log: noLog, maxWaitMs: 5_000 })
afterAll(async () => {
  await pool.close()
  await fixture.drop()
})

type SendMessage = (text: unknown, values: unknown) => Promise<unknown>

/** Returns a pool whose connections send their messages through a function. */
function interceptMessages(pool: FairPool, intercept: (send: SendMessage) => SendMessage): FairPool {
  const wrap = (client: PoolClient): PoolClient =>
    Object.assign(Object.create(client), {
      query: intercept((text, values) => Reflect.apply(client.query, client, [text, values])),
    })
  return {
    ...pool,
    async acquire(key, signal) {
      const slot = await pool.acquire(key, signal)
      return {
        ...slot,
        async checkOut(open) {
          const checkedOut = await slot.checkOut((client) => open(wrap(client)))
          return { ...checkedOut, client: wrap(checkedOut.client) }
        },
      }
    },
  }
}

/** Returns a pool whose first connection breaks after its first message, of which the answer is lost. */
function breakFirstConnection(pool: FairPool): FairPool {
  let isFirst = true
  return interceptMessages(pool, (send) => async (text, values) => {
    const result = await send(text, values)
    if (!isFirst) return result
    isFirst = false
    throw Object.assign(new Error('connection reset'), { code: 'ECONNRESET' })
  })
}

const runnerOn = (connectionPool: FairPool) =>
  new TransactionRunner({
    pool: connectionPool,
    connections: new AsyncLocalStorage<ScopedConnection>(),
    shard: 's1',
    db: createScopedClient(fixture.prisma),
    notifyWake() {},
    log: noLog,
  })

const outbox = (workspaceId: string) =>
  fixture.queryAsAdmin('SELECT * FROM platform.outbox WHERE workspace_id = $1 ORDER BY position', [workspaceId])

const projects = async (workspaceId: string) =>
  (await fixture.queryAsAdmin('SELECT id FROM projects WHERE workspace_id = $1', [workspaceId])).length

/** Milliseconds since 1970 by the clock of the database. */
const databaseTime = async () =>
  Number((await fixture.queryAsAdmin<{ at: Date }>('SELECT clock_timestamp()::timestamptz(3) AS at'))[0]?.at)

const audit = {
  action: 'project.created',
  targetType: 'project',
  targetField: 'project_id',
  params: {},
}

describe('a transaction', () => {
  it('commits the change, its events and its audit event together', async () => {
    const requester = caller({
      request: { endpointId: 'fixture.createProject', audit, ip: '198.51.100.7', userAgent: "O'Neill\\1" },
    })
    const workspaceId = requester.workspaceId ?? ''
    const [project, run] = [newId('src'), newId('fr')]
    const startedAt = await databaseTime()
    const result = await fixture.database.transact({ ...requester, traceparent: '00-1-2-01' }, async (tx) => {
      await tx.db.project.create({ data: { id: project, workspaceId, name: 'Harbour' } })
      tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: run, status: 'finished' } })
      tx.emit({
        kind: 'INTEGRATION_CONNECTED',
        data: { id: 'int_1', status: 'connected', provider: 'http' },
        id: 'evt_chosen',
      })
      tx.audit({ changes: { name: "it's" } })
      expect(await outbox(workspaceId)).toEqual([])
      return { project_id: project, name: 'Harbour' }
    })
    expect(result).toEqual({ project_id: project, name: 'Harbour' })
    const rows = await outbox(workspaceId)
    expect(rows.map(({ kind }) => kind)).toEqual(['FORECASTING_FINISHED', 'INTEGRATION_CONNECTED', 'AUDIT_RECORDED'])
    expect(rows[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      actor: requester.principal,
      request_id: requester.requestId,
      traceparent: '00-1-2-01',
      data: { id: run, status: 'finished' },
      published_at: null,
    })
    expect(rows[1]?.id).toBe('evt_chosen')
    expect(Number(rows[0]?.occurred_at)).toBeGreaterThanOrEqual(startedAt)
    expect(Number(rows[0]?.occurred_at)).toBeLessThanOrEqual(await databaseTime())
    expect(rows[2]?.data).toEqual({
      action: 'project.created',
      actor: requester.principal,
      targets: [{ type: 'project', id: project }],
      context: { ip: '198.51.100.7', user_agent: "O'Neill\\1", request_id: requester.requestId },
      outcome: 'success',
      changes: { name: "it's" },
    })
  })

  it('is sent as one message if its work sends no statement', async () => {
    const requester = caller()
    await fixture.database.transact(requester, async (tx) => {
      tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: newId('fr'), status: 'finished' } })
    })
    const sent = await fixture.queryAsAdmin<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'app' AND query LIKE '%' || $1 || '%'`,
      [requester.workspaceId],
    )
    expect(sent).toEqual([{ query: expect.stringMatching(/^BEGIN READ WRITE;.*platform\.outbox.*COMMIT$/s) }])
  })

  it('writes its events once if the connection breaks before the answer to the only message', async () => {
    const requester = caller()
    const runner = runnerOn(breakFirstConnection(pool))
    await runner.transact(requester, async (tx) => {
      tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: newId('fr'), status: 'finished' } })
    })
    expect(await outbox(requester.workspaceId ?? '')).toHaveLength(1)
  })

  const withKey = { endpointId: 'fixture.createProject', idempotency: { key: newId('rec'), fingerprint: 'f1' } }
  it.each([
    ['nothing', undefined],
    ['an idempotency key', withKey],
    ['a resource', { endpointId: 'fixture.createProject', resource: 'project 1' }],
  ])('without statements fails when an event exists already, with %s to claim', async (_, request) => {
    const requester = caller({ request })
    const id = newId('evt')
    const emit = (from: RequestCaller) =>
      fixture.database.transact(from, async (tx) => {
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: 'fr_1', status: 'finished' }, id })
      })
    await emit(caller())
    await expect(emit(requester)).rejects.toMatchObject({ code: '23505' })
  })

  it('runs its work once on another connection if the first one breaks before it is opened', async () => {
    let runs = 0
    const [row] = await runnerOn(breakFirstConnection(pool)).transact(caller(), async ({ query }) => {
      runs += 1
      return await query<{ open: boolean }>(`SELECT current_setting('transaction_read_only') = 'off' AS open`)
    })
    expect([row, runs]).toEqual([{ open: true }, 1])
  })

  it('sends its opening with the first statement, and others without waiting for the answers of those before', async () => {
    const messages: string[] = []
    const recorded = interceptMessages(pool, (send) => async (text, values) => {
      messages.push('sent')
      return await send(text, values).finally(() => messages.push('answered'))
    })
    await runnerOn(recorded).transact(caller(), async ({ query }) => {
      await query('SELECT 1')
      await Promise.all([query('SELECT 2'), query('SELECT 3')])
    })
    const together = ['sent', 'sent', 'answered', 'answered']
    expect(messages).toEqual([...together, ...together, 'sent', 'answered'])
  })

  it('fails with the error of the first statement that failed when several are sent together', async () => {
    const failing = fixture.database.transact(caller(), async ({ query }) => {
      await query('SELECT 1')
      await Promise.all([query('SELECT 1/0'), query('SELECT 2')])
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
  })

  it('rolls back when the work, an event or the audit event fails', async () => {
    const workspaceId = newId('ws')
    const request = { endpointId: 'fixture.createProject', audit }
    const create = (after: (tx: { emit(event: never): void }) => unknown, requester = caller({ workspaceId })) =>
      fixture.database.transact(requester, async (tx) => {
        await tx.db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: 'fr_1', status: 'finished' } })
        return after(tx)
      })
    await expect(create(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    // The cast passes data that does not match the schema of the kind.
    await expect(create((tx) => tx.emit({ kind: 'FORECASTING_FINISHED', data: {} } as never))).rejects.toThrow('id')
    await expect(create(() => ({}), caller({ workspaceId, request }))).rejects.toThrow('no project_id in the response')
    expect([await projects(workspaceId), await outbox(workspaceId)]).toEqual([0, []])
  })

  it('rolls back when the connection breaks during the work; the next transaction succeeds', async () => {
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

  it('reports a rollback when the work ignores a database error', async () => {
    const workspaceId = newId('ws')
    const ignoring = fixture.database.transact(caller({ workspaceId }), async ({ db, query }) => {
      await db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
      await query('SELECT 1/0').catch(() => 'never mind')
    })
    await expect(ignoring).rejects.toThrow('continued after a database error')
    expect(await projects(workspaceId)).toBe(0)
  })

  it('continues in a workspace that it has just created', async () => {
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

  it('continues without a workspace and writes further audit events in the current workspace', async () => {
    const [first, second] = [newId('ws'), newId('ws')]
    const requester = caller({ workspaceId: first })
    const user = { id: newId('usr'), type: 'user' as const }
    await fixture.database.transact(requester, async (tx) => {
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
    expect(await actions(first)).toEqual([
      expect.objectContaining({ action: 'user.updated', actor: requester.principal }),
    ])
  })

  it('rejects a second commit of the same request metadata', async () => {
    const requester = caller({ request: { endpointId: 'fixture.createProject', audit } })
    const work = async () => ({ project_id: newId('src') })
    await fixture.database.transact(requester, work)
    await expect(fixture.database.transact(requester, work)).rejects.toThrow('without "request"')
  })
})

describe('an after-commit action', () => {
  it('runs after the commit, outside the connection, and not after a rollback', async () => {
    const calls: string[] = []
    const stop = fixture.database.onWake((queue) => calls.push(queue))
    const workspaceId = newId('ws')
    const write = (fail: boolean) =>
      fixture.database.transact(caller({ workspaceId }), async (tx) => {
        await tx.db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: 'fr_1', status: 'finished' } })
        tx.wake('syncs')
        tx.wake('syncs')
        tx.afterCommit(async () => {
          // Inside the transaction a read would be rejected.
          const count = await fixture.database.read({ workspaceId }, (db) => db.project.count())
          calls.push(`${count} committed`)
        })
        if (fail) throw new Error('no')
      })
    await expect(write(true)).rejects.toThrow('no')
    expect(calls).toEqual([])
    await write(false)
    expect(calls).toEqual(['syncs', 'outbox', '1 committed'])
    stop()
    await write(false)
    expect(calls).toEqual(['syncs', 'outbox', '1 committed', '2 committed'])
  })

  it('is logged when it fails and does not fail the request', async () => {
    const stop = fixture.database.onWake(() => {
      throw new Error('bus unavailable')
    })
    await fixture.database.transact(caller(), async (tx) => {
      tx.wake('syncs')
      tx.afterCommit(() => Promise.reject(new Error('cache unavailable')))
    })
    stop()
    expect(fixture.loggedEvents.filter((event) => event === 'transaction.after_commit_failed')).toHaveLength(2)
  })
})

describe('a change that conflicts with others', () => {
  let attempts = 0
  const pauses: number[] = []
  const change = ({ conflicts, attemptMs }: { conflicts: number; attemptMs: number }) => {
    attempts = 0
    const clock = { pause: async (ms: number) => void pauses.push(ms), now: () => attempts * attemptMs }
    const attempt = async () => {
      attempts += 1
      if (attempts <= conflicts) throw new ConcurrentChangeError('changed')
    }
    return retryOnConflict('project', attempt, clock)
  }

  it('is tried eight times, with growing pauses', async () => {
    await change({ conflicts: 7, attemptMs: 100 })
    const longest = [50, 100, 200, 400, 800, 800, 800]
    expect(pauses).toHaveLength(longest.length)
    for (const [index, ms] of longest.entries()) {
      expect(pauses[index]).toBeGreaterThan(ms / 2 - 1)
      expect(pauses[index]).toBeLessThanOrEqual(ms)
    }
    await expect(change({ conflicts: 8, attemptMs: 100 })).rejects.toMatchObject({ code: 'conflict', status: 409 })
  })

  it('is given up before the time limit of its request', async () => {
    await expect(change({ conflicts: 8, attemptMs: 6_000 })).rejects.toMatchObject({ code: 'conflict' })
    expect(attempts).toBe(3)
  })
})

describe('two conflicting transactions', () => {
  it('both commit: the one that PostgreSQL aborted is retried and its events are written once', async () => {
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

  it('fail after four attempts', async () => {
    let runs = 0
    const conflicting = fixture.database.transact(caller(), async ({ query }) => {
      runs++
      await query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`)
    })
    await expect(conflicting).rejects.toThrow('again')
    expect(runs).toBe(4)
  })
})
