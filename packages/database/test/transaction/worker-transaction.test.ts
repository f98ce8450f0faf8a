import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { inWorkerTransaction, type Query } from '../../src/index.ts'
import { createFixtureDatabase } from '../fixture/database.ts'

const fixture = await createFixtureDatabase()
afterEach(() => fixture.queryAsAdmin('DELETE FROM platform.inbox'))
afterAll(() => fixture.drop())

const run = <T>(work: (query: Query) => Promise<T>, options?: { settings?: string; isStartHarmless?: boolean }) =>
  inWorkerTransaction(fixture.database.worker, (_client, query) => work(query), options)

const insert = (query: Query, id: string) =>
  query(`INSERT INTO platform.inbox (consumer, event_id) VALUES ('test', $1)`, [id])

const written = async () =>
  (await fixture.queryAsAdmin<{ event_id: string }>('SELECT event_id FROM platform.inbox ORDER BY event_id')).map(
    (row) => row.event_id,
  )

describe('a transaction of the worker role', () => {
  it('executes statements that are sent together in their order, after its settings', async () => {
    const rows = await run(
      (query) =>
        Promise.all([
          query(`SELECT current_setting('lock_timeout') AS value`),
          query(`SELECT set_config('app.step', 'two', true) AS value`),
          query(`SELECT current_setting('app.step') AS value`, [], 'read_step'),
        ]),
      { settings: `SET LOCAL lock_timeout = '7s'` },
    )
    expect(rows.flat()).toEqual([{ value: '7s' }, { value: 'two' }, { value: 'two' }])
  })

  it.each([
    ['first', (query: Query) => [query('SELECT 1 / 0'), insert(query, 'a'), insert(query, 'b')]],
    ['last', (query: Query) => [insert(query, 'a'), insert(query, 'b'), query('SELECT 1 / 0')]],
  ])('writes nothing if the %s of several statements fails, and its connection is used again', async (_name, send) => {
    const pids: unknown[] = []
    const failed = run(async (query) => {
      pids.push(...(await query('SELECT pg_backend_pid() AS pid')))
      await Promise.all(send(query))
    })
    await expect(failed).rejects.toThrow('division by zero')
    expect(await written()).toEqual([])
    await run(async (query) => {
      pids.push(...(await query('SELECT pg_backend_pid() AS pid')))
      await insert(query, 'c')
    })
    expect(await written()).toEqual(['c'])
    expect(pids[1]).toEqual(pids[0])
  })

  it.each([false, true])(
    'writes nothing if its settings are refused (isStartHarmless: %s)',
    async (isStartHarmless) => {
      const settings = `SET LOCAL lock_timeout = 'soon'`
      const refused = run((query) => insert(query, 'a'), { settings, isStartHarmless })
      await expect(refused).rejects.toThrow('lock_timeout')
      expect(await written()).toEqual([])
    },
  )

  it('sends the first statements with BEGIN if they are harmless, and those that follow only after it', async () => {
    const steps: unknown[] = []
    const failed = run(
      async (query) => {
        const first = await Promise.allSettled([query('SELECT 1 AS first'), query('SELECT 2 AS second')])
        steps.push(first.map(({ status }) => status))
        await insert(query, 'a')
      },
      { settings: 'SET LOCAL lock_timeout = 1; ROLLBACK; SELECT 1 / 0', isStartHarmless: true },
    )
    await expect(failed).rejects.toThrow('division by zero')
    expect(steps).toEqual([['rejected', 'rejected']])
    expect(await written()).toEqual([])
    await run((query) => insert(query, 'b'), { isStartHarmless: true })
    expect(await written()).toEqual(['b'])
  })

  it('commits with the last statements, after which it sends no other', async () => {
    const { worker } = fixture.database
    await inWorkerTransaction(worker, async (_client, query, commit) => {
      const sent = [insert(query, 'a'), insert(query, 'b')]
      commit()
      await Promise.all(sent)
      await expect(insert(query, 'c')).rejects.toThrow('after the commit')
    })
    expect(await written()).toEqual(['a', 'b'])
  })

  it('writes nothing if a statement fails that is sent with the commit', async () => {
    const failed = inWorkerTransaction(fixture.database.worker, async (_client, query, commit) => {
      const sent = [insert(query, 'a'), query('SELECT 1 / 0'), insert(query, 'b')]
      commit()
      await Promise.all(sent)
    })
    await expect(failed).rejects.toThrow('division by zero')
    expect(await written()).toEqual([])
    await run((query) => insert(query, 'c'))
    expect(await written()).toEqual(['c'])
  })

  it('fails if a statement failed and the work went on', async () => {
    const ignored = run(async (query) => {
      await insert(query, 'a')
      await query('SELECT 1 / 0').catch(() => {})
    })
    await expect(ignored).rejects.toThrow('rolled back')
    expect(await written()).toEqual([])
  })

  it('fails if its session ends, and the next one gets another', async () => {
    const ended = run(async (query) => {
      await insert(query, 'a')
      const [row] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await fixture.queryAsAdmin('SELECT pg_terminate_backend($1, 10000)', [row?.pid])
      await Promise.all([insert(query, 'b'), insert(query, 'c')])
    })
    await expect(ended).rejects.toThrow()
    await run((query) => insert(query, 'd'))
    expect(await written()).toEqual(['d'])
  })
})
