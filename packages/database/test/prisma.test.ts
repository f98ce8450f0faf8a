import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from '@jest/globals'
import { newId, type Query } from '../src/index.ts'
import { barrier, caller, createFixtureDatabase, createProject } from './fixture/database.ts'

const fixture = await createFixtureDatabase()
afterAll(() => fixture.drop())

const titles = ['Dredge', 'Paint', 'Sweep']
const tasks = (workspaceId: string) => titles.map((title) => ({ id: newId('rec'), workspaceId, title }))

describe('Prisma in a read or a transaction', () => {
  it('never mixes the rows of workspaces that read concurrently, with or without include', async () => {
    const workspaces = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const workspaceId = newId('ws')
        const { id } = await createProject(fixture, workspaceId)
        await fixture.database.transact(caller({ workspaceId }), ({ db }) =>
          db.task.createMany({ data: tasks(workspaceId).map((task) => ({ ...task, projectId: id })) }),
        )
        return { workspaceId, id }
      }),
    )
    const every = workspaces.map(({ id }) => id)
    const reads = Array.from({ length: 200 }, async (_, index) => {
      const { workspaceId, id } = workspaces[index % 4] ?? { workspaceId: '', id: '' }
      await fixture.database.read({ workspaceId }, async (db) => {
        const [first, asked, all] = await Promise.all([
          db.project.findFirst({ where: { id } }),
          db.project.findFirst({ where: { id: every[(index + 1) % 4] ?? '' } }),
          db.project.findMany({ where: { id: { in: every } }, include: { tasks: true } }),
        ])
        expect(first?.workspaceId).toBe(workspaceId)
        expect(asked).toBeNull()
        expect(all.map((project) => project.workspaceId)).toEqual([workspaceId])
        expect(all[0]?.tasks.map((task) => task.workspaceId)).toEqual(titles.map(() => workspaceId))
      })
    })
    await Promise.all(reads)
  })

  it('does not offer findUnique, which Prisma batches across callers', async () => {
    const workspaceId = newId('ws')
    await fixture.database.read({ workspaceId }, async (db) => {
      // @ts-expect-error: the type omits it; at run time the client rejects it too.
      expect(() => db.project.findUnique).toThrow('findUnique is not available')
      // @ts-expect-error: omitted by the type as well.
      expect(() => db.$transaction).toThrow('$transaction is not available')
    })
  })

  it('would return another workspace’s row through findUnique, because Prisma batches it', async () => {
    const [one, two] = [newId('ws'), newId('ws')]
    const [ofOne, ofTwo] = [await createProject(fixture, one), await createProject(fixture, two)]
    const meet = barrier(2)
    const ask = (workspaceId: string, id: string) =>
      fixture.database.read({ workspaceId }, async () => {
        await meet()
        return await fixture.prisma.project.findUnique({ where: { id } })
      })
    // Each requests the other's row. Prisma combines both queries and runs them in the context of the first caller.
    const answers = await Promise.all([ask(one, ofTwo.id), ask(two, ofOne.id)])
    expect(answers.filter((row) => row !== null)).toHaveLength(1)
  })

  it('shares one transaction with plain SQL', async () => {
    const workspaceId = newId('ws')
    const id = newId('src')
    const seen = await fixture.database.transact(caller({ workspaceId }), async ({ db, query }) => {
      await db.project.create({ data: { id, workspaceId, name: 'Quay' } })
      await query('UPDATE projects SET size = $2 WHERE id = $1', [id, 7])
      const prisma = await db.$queryRaw<{ txid: string }[]>`SELECT txid_current()::text AS txid`
      const plain = await query<{ txid: string }>('SELECT txid_current()::text AS txid')
      expect(prisma).toEqual(plain)
      return await db.project.findFirst({ where: { id } })
    })
    expect(seen).toMatchObject({ name: 'Quay', size: 7n })
  })

  it('runs nested writes as savepoints of the transaction', async () => {
    const workspaceId = newId('ws')
    const id = newId('src')
    const nested = (titled: string[]) => ({
      data: {
        id,
        workspaceId,
        name: 'Pier',
        tasks: { create: titled.map((title) => ({ id: newId('rec'), workspaceId, title })) },
      },
    })
    // The second task violates a unique constraint inside Prisma's nested transaction; only that part is rolled back.
    await fixture.database.transact(caller({ workspaceId }), async ({ db }) => {
      await expect(db.project.create(nested(['Dredge', 'Dredge']))).rejects.toMatchObject({ code: 'P2002' })
      await Promise.all([db.project.create(nested(titles)), db.plan.count()])
      expect(await db.task.count()).toBe(3)
    })
    expect(
      await fixture.queryAsAdmin('SELECT count(*)::int FROM tasks WHERE workspace_id = $1', [workspaceId]),
    ).toEqual([{ count: 3 }])
    await expect(
      fixture.database.transact(caller({ workspaceId }), async ({ db }) => {
        await db.project.update({ where: { id }, data: { name: 'Gone', tasks: { deleteMany: {} } } })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(
      await fixture.queryAsAdmin('SELECT count(*)::int FROM tasks WHERE workspace_id = $1', [workspaceId]),
    ).toEqual([{ count: 3 }])
  })

  it('throws outside a read or transaction, after its end, and when nested', async () => {
    const { database } = fixture
    const escaped = await database.read({ workspaceId: null }, async (db, query) => ({ db, query }))
    await expect(escaped.db.plan.count()).rejects.toThrow('outside read() and transact()')
    await expect(escaped.query('SELECT 1')).rejects.toThrow('had ended')
    const late = await database.read({ workspaceId: null }, async (db) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return { resolve, count: promise.then(async () => await db.plan.count()) }
    })
    late.resolve()
    await expect(late.count).rejects.toThrow('had ended')
    await expect(
      database.read({ workspaceId: null }, () => database.read({ workspaceId: null }, async () => 1)),
    ).rejects.toThrow('read() inside a read() or transact()')
    await expect(database.transact(caller(), () => database.transact(caller(), async () => 1))).rejects.toThrow(
      'transact() inside a read() or transact()',
    )
  })

  it('rejects writes in a read', async () => {
    const write = fixture.database.read({ workspaceId: null }, (db) =>
      db.plan.create({ data: { id: newId('plan'), name: 'Small' } }),
    )
    await expect(write).rejects.toThrow('read-only transaction')
  })
})

describe('a read or a transaction', () => {
  it('keeps no result that its work has dropped', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const work = async (query: Query) => {
      const results: WeakRef<object>[] = []
      // The driver keeps the last one, and a register may keep another.
      for (let n = 0; n < 6; n += 1) results.push(new WeakRef(await query('SELECT $1::integer AS n', [n])))
      await setImmediate()
      collectGarbage()
      return results.slice(0, -3).map((result) => result.deref())
    }
    const dropped = [undefined, undefined, undefined]
    expect(await fixture.database.read({ workspaceId: null }, (_db, query) => work(query))).toEqual(dropped)
    expect(await fixture.database.transact(caller(), ({ query }) => work(query))).toEqual(dropped)
  })
})

describe('a row of plain SQL', () => {
  it('has JavaScript values', async () => {
    const [row] = await fixture.database.read({ workspaceId: null }, (_db, query) =>
      query(`SELECT '2026-01-05 09:30:00.123+02'::timestamptz AS at, 9007199254740991::int8 AS safe,
        9007199254740993::int8 AS wide, '{"a":[1]}'::jsonb AS json, '2026-01-05'::date AS day, 1.10::numeric AS price,
        ARRAY['a','b'] AS names, NULL::int8 AS none`),
    )
    expect(row).toEqual({
      at: new Date('2026-01-05T07:30:00.123Z'),
      safe: 9007199254740991,
      wide: 9007199254740993n,
      json: { a: [1] },
      day: '2026-01-05',
      price: '1.10',
      names: ['a', 'b'],
      none: null,
    })
  })
})
