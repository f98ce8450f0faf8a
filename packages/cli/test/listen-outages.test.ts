import { afterAll, expect, it } from '@jest/globals'
import { eventually, startNats, startReceiver, startTestFleet } from '@wp/testkit'
import { createProgram } from './fixture/program.ts'

const nats = await startNats()
const fleet = await startTestFleet({ natsUrl: nats.url, services: ['auth', 'webhook-delivery'] })
/** An edge that keeps running, for the changes that cause events. */
const otherEdge = await fleet.addEdge()
const receiver = await startReceiver({ tls: 'none' })
const wp = await createProgram(fleet.baseUrl, { WP_API_KEY: fleet.owner.apiKey })
afterAll(async () => {
  await wp.close()
  await receiver.close()
  await fleet.stop()
  await nats.stop()
})

const keyIdOf = (body: Buffer): string => JSON.parse(body.toString()).payload.id

it('forwards every event when the gateway and the broker are stopped five times each', async () => {
  const as = await fleet.token(fleet.owner)
  const program = wp.start(['webhooks', 'listen', `${receiver.port}`, '--events', 'API_KEY_CREATED', '--json'])
  await program.until('Signing secret: ')
  const created: string[] = []
  const createKey = async () => {
    const { status, body } = await fleet.request('POST', '/v1/auth/api-key', { as, edge: otherEdge, body: {} })
    expect(status).toBe(201)
    created.push(body.data.key_id)
  }
  const outages = () => program.stderr().split('Lost the connection').length - 1

  for (let round = 1; round <= 5; round += 1) {
    await fleet.member('gateway').stop()
    await createKey()
    await eventually(() => outages() >= round, { description: () => `the outage ${round} in: ${program.stderr()}` })
    await fleet.restart('gateway')
    await nats.kill()
    await createKey()
    await nats.restart()
    await eventually(() => new Set(receiver.received.map(({ body }) => keyIdOf(body))).size === created.length)
  }

  program.signal('SIGINT')
  const { code, stdout } = await program.ended
  expect(code).toBe(0)
  expect(receiver.received.map(({ body }) => keyIdOf(body)).sort()).toEqual(created.sort())
  expect(stdout.trim().split('\n')).toHaveLength(created.length)
  const { body } = await fleet.request('GET', '/v1/webhooks/webhooks', { as })
  expect(body.data).toEqual([])
})
