import { randomBytes, randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { connectBus, findOrCreateStream, publishEvent } from '@wp/events'
import { keyFilePaths, openDocumentSigner } from '@wp/service'
import { createTemporaryKeys, createTestDatabase, eventually, startFleet, testNats } from '@wp/testkit'
import { Client } from 'pg'
import { createVerifications } from '../src/verifications.ts'
import { eventOf } from './fixture/harness.ts'

const { url: natsUrl, shard } = testNats()
const log = { warn() {}, error() {} }
const bus = await connectBus({ servers: natsUrl, shard, name: 'test', stream: { maxBytes: 64 * 1024 ** 2 }, log })
await eventually(() => bus.isConnected)
await findOrCreateStream(bus)
const database = await createTestDatabase('audit')
const admin = new Client({ connectionString: database.adminUrl })
await admin.connect()
const keysDirectory = await createTemporaryKeys()
const kek = randomBytes(32).toString('base64')
const fleet = await startFleet({
  processes: 'all',
  services: ['audit'],
  excluded: ['gateway'],
  settings: { shard, location: 'TST', natsUrl, keysDirectory, kek, logLevel: 'silent', outbound: {} },
  env: { audit: { ACK_WAIT_SECONDS: '1' } },
  database: async () => database,
})
afterAll(async () => {
  await fleet.stop()
  await Promise.all([bus.close(), admin.end()])
  await database.drop()
  await rm(keysDirectory, { recursive: true, force: true })
})

const countRecords = async () => {
  const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_records')
  return rows[0]?.count ?? 0
}

it('loses and duplicates no record when the service is killed repeatedly while recording', async () => {
  const workspaces = [newId('ws'), newId('ws'), newId('ws')]
  const published: string[] = []
  const kills = 2
  const each = 200
  for (let kill = 1; kill <= kills; kill += 1) {
    const goal = (kill - 1) * each + randomInt(50, each - 100)
    const publishing = (async () => {
      for (let n = 0; n < each; n += 20)
        await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const event = eventOf(workspaces[index % 3] ?? '')
            published.push(event.id.replace('evt_', 'log_'))
            await publishEvent(bus, 'data', event)
          }),
        )
    })()
    await eventually(async () => (await countRecords()) >= goal, { intervalMs: 1 })
    await fleet.member('audit').kill()
    await publishing
    await fleet.restart('audit')
  }
  await eventually(async () => (await countRecords()) >= published.length, {
    description: 'all records',
  })
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM audit_records')
  expect(rows.map(({ id }) => id).sort()).toEqual(published.sort())
  expect((await admin.query('SELECT FROM platform.dead_events')).rowCount).toBe(0)
  const reader = connectDatabase({ ...database, prisma: () => ({}), shard: 'test' })
  const verifications = createVerifications(
    reader,
    await openDocumentSigner(keyFilePaths(keysDirectory).auditSigningKeyFile),
  )
  let checked = 0
  for (const workspace of workspaces) {
    const result = await verifications.verify(workspace, {})
    expect(result).toMatchObject({ status: 'ok', problems: [] })
    checked += result.checked
  }
  await reader.close()
  expect(checked).toBe(kills * each)
})
