import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { connectDatabase } from '@wp/database'
import { createTestDatabase, runProgram } from '@wp/testkit'

const server = await createTestDatabase('redrive-test')
const database = connectDatabase({ ...server, prisma: () => ({}), shard: 'test' })
beforeEach(async () => {
  await database.worker.query(`
    DELETE FROM platform.dead_events; DELETE FROM platform.outbox;
    INSERT INTO platform.dead_events (consumer, event_id, workspace_id, content, failures, error, died_at) VALUES
      ('s_one', 'evt_1', 'ws_1', '{"kind":"K"}', 5, 'Error: broken', '2026-01-05T09:30:00Z'),
      ('s_one', 'evt_2', '', '{}', 5, 'Error: broken', now()),
      ('s_two', 'evt_1', 'ws_1', '{"kind":"K"}', 5, 'Error: broken', now()),
      ('s_two', 'evt_3', 'ws_1', '{"kind":"K"}', 2, 'Error: broken', NULL),
      ('relay', 'evt_4', 'ws_1', '{"kind":"K"}', 1, 'too large', now());
    INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data, published_at)
    VALUES ('evt_4', 'K', 'ws_1', now(), '{}', 'r', '{}', now())`)
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

const redrive = (args: string[], env = { DATABASE_WORKER_URL_S: server.workerUrl }) =>
  runProgram('infra/toolchain/redrive.ts', args, env)

const back = async () =>
  (
    await database.worker.query<{ name: string }>(
      `SELECT consumer || ' ' || event_id AS name FROM platform.dead_events WHERE redrive_at IS NOT NULL ORDER BY 1`,
    )
  ).rows.map(({ name }) => name)

describe('npm run events:redrive', () => {
  it('lists the dead letters, the oldest first, without changing them', async () => {
    const { stdout } = await redrive(['s', '--list', '--consumer', 's_one'])
    expect(stdout.split('\n')).toEqual([
      '2026-01-05T09:30:00.000Z  s_one  evt_1  K  ws_1  "Error: broken"',
      expect.stringContaining('s_one  evt_2  -  -  "Error: broken"'),
      '',
    ])
    expect(await back()).toEqual([])
  })

  it('redrives all dead letters, and events that the relay could not publish through the outbox', async () => {
    const { stdout } = await redrive(['s'])
    expect(stdout).toBe('s: 4 redriven\n')
    expect(await back()).toEqual(['s_one evt_1', 's_one evt_2', 's_two evt_1'])
    const { rows } = await database.worker.query('SELECT published_at FROM platform.outbox')
    expect(rows).toEqual([{ publishedAt: null }])
  })

  it('filters by consumer and event', async () => {
    expect((await redrive(['s', '--consumer', 's_two', '--event', 'evt_1'])).stdout).toBe('s: 1 redriven\n')
    expect(await back()).toEqual(['s_two evt_1'])
  })

  it('names a missing variable in one line, and prints its usage for invalid arguments', async () => {
    await expect(redrive(['other'])).rejects.toMatchObject({
      code: 1,
      stderr: 'neither DATABASE_WORKER_URL_OTHER nor DATABASE_WORKER_URL is set\n',
    })
    await expect(redrive([])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('usage:') })
    await expect(redrive(['s', '--everything'])).rejects.toMatchObject({ code: 1 })
  })
})
