import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database } from '@wp/database'
import { createTestDatabase, type TestDatabase } from '@wp/testkit'

let server: TestDatabase
let database: Database

beforeAll(async () => {
  server = await createTestDatabase('redrive-test')
  database = connectDatabase({ ...server, prisma: () => ({}), shard: 'test' })
})
beforeEach(async () => {
  await database.worker.query(`
    DELETE FROM platform.dead_events; DELETE FROM platform.outbox;
    INSERT INTO platform.dead_events (consumer, event_id, workspace_id, event, tries, error, died_at) VALUES
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

async function redrive(args: string[], env = { DATABASE_WORKER_URL_S: server.workerUrl }) {
  const tool = join(import.meta.dirname, '../redrive.ts')
  return promisify(execFile)(process.execPath, [tool, ...args], { env: { ...env } })
}

const back = async () =>
  (
    await database.worker.query<{ name: string }>(
      `SELECT consumer || ' ' || event_id AS name FROM platform.dead_events WHERE redrive_at IS NOT NULL ORDER BY 1`,
    )
  ).rows.map(({ name }) => name)

describe('pnpm events:redrive', () => {
  it('lists what is dead, the oldest first, and changes nothing', async () => {
    const { stdout } = await redrive(['s', '--list', '--consumer', 's_one'])
    expect(stdout.split('\n')).toEqual([
      '2026-01-05T09:30:00.000Z  s_one  evt_1  K  ws_1  "Error: broken"',
      expect.stringContaining('s_one  evt_2  -  -  "Error: broken"'),
      '',
    ])
    expect(await back()).toEqual([])
  })

  it('puts everything dead back, and what the relay set aside into the outbox', async () => {
    const { stdout } = await redrive(['s'])
    expect(stdout).toBe('s: 4 put back\n')
    expect(await back()).toEqual(['s_one evt_1', 's_one evt_2', 's_two evt_1'])
    const { rows } = await database.worker.query('SELECT published_at FROM platform.outbox')
    expect(rows).toEqual([{ published_at: null }])
  })

  it('narrows by consumer and event', async () => {
    expect((await redrive(['s', '--consumer', 's_two', '--event', 'evt_1'])).stdout).toBe('s: 1 put back\n')
    expect(await back()).toEqual(['s_two evt_1'])
  })

  it('says what is missing in one line', async () => {
    await expect(redrive(['other'])).rejects.toMatchObject({
      code: 1,
      stderr: 'neither DATABASE_WORKER_URL_OTHER nor DATABASE_WORKER_URL is set\n',
    })
    await expect(redrive([])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('usage:') })
    await expect(redrive(['s', '--everything'])).rejects.toMatchObject({ code: 1 })
  })
})
