import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startPostgres } from '@wp/testkit'
import { connectDatabase, databaseUrls, isConnectionError, migrate, newId, provision } from '../src/index.ts'
import { caller, createFixtureDatabase, fixtureMigrations } from './fixture/database.ts'
import { PrismaClient } from './fixture/generated/prisma/client.ts'

const fixture = await createFixtureDatabase()
afterAll(() => fixture.drop())

const sessions = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'

describe('a database whose connections were all terminated', () => {
  it('serves the next reads and writes', async () => {
    const use = () => [
      fixture.database.read({ workspaceId: null }, (db) => db.plan.count()),
      fixture.database.transact(caller(), async ({ query }) => await query('SELECT 1')),
      fixture.database.read({ workspaceId: null }, (_db, query) => query('SELECT 1')),
    ]
    await Promise.all(use())
    const ended = await fixture.queryAsAdmin(`SELECT pg_terminate_backend(pid) ${sessions}`)
    expect(ended.length).toBeGreaterThanOrEqual(3)
    await Promise.all(use())
    await fixture.database.ping()
    expect(fixture.loggedEvents).toContain('database_connection.lost')
  })

  it('fails a read in progress with a connection error, through Prisma and through SQL', async () => {
    const interrupted = (sleep: 'prisma' | 'sql') =>
      fixture.database.read({ workspaceId: null }, async (db, query) => {
        const [backend] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        const asleep = sleep === 'sql' ? query('SELECT pg_sleep(20)') : db.$queryRaw`SELECT pg_sleep(20)::text`
        const ending = fixture.queryAsAdmin('SELECT pg_terminate_backend($1)', [backend?.pid])
        await Promise.all([asleep, ending])
      })
    for (const kind of ['sql', 'prisma'] as const) {
      expect([kind, await interrupted(kind).catch(isConnectionError)]).toEqual([kind, true])
    }
    expect(isConnectionError(new Error('something else'))).toBe(false)
  })
})

describe('a database whose server is restarted', () => {
  it('returns service_unavailable while the server is down and works again afterwards', async () => {
    const server = await startPostgres()
    const passwords = { owner: 'o', app: 'a', worker: 'w' }
    await provision({ adminUrl: server.url, service: 'fixture', passwords })
    const urls = databaseUrls(server.url, 'fixture', passwords)
    await migrate({ ownerUrl: urls.owner, dir: fixtureMigrations })
    const database = connectDatabase({
      url: urls.app,
      workerUrl: urls.worker,
      prisma: (adapter) => new PrismaClient({ adapter }),
      shard: 's1',
    })
    try {
      const write = () =>
        database.transact(caller(), ({ db }) => db.plan.create({ data: { id: newId('plan'), name: 'Small' } }))
      const plans = () => database.read({ workspaceId: null }, (db) => db.plan.count())
      await write()
      await server.kill()
      // The sessions of a killed server still respond for a moment.
      await eventually(() => plans().then(() => false, isConnectionError))
      const failure = await write().catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'Problem', code: 'service_unavailable' })
      expect(isConnectionError(failure)).toBe(true)
      await server.restart()
      await write()
      expect(await plans()).toBe(2)
    } finally {
      await database.close()
      await server.stop()
    }
  })
})
