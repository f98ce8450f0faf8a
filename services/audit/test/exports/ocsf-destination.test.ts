import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from '@jest/globals'
import { type ReceivedRequest, startReceiver, startTestFleet } from '@wp/testkit'
import { ApiActivity } from './ocsf-schema.ts'

const receiver = await startReceiver()
const fleet = await startTestFleet({
  services: ['auth', 'audit', 'webhook-delivery'],
  outbound: { OUTBOUND_CA_FILE: receiver.caFile },
})
afterAll(async () => {
  await fleet.stop()
  await receiver.close()
})

const s3 = () => ({
  type: 's3',
  endpoint: receiver.url('/s3'),
  bucket: 'archive',
  access_key_id: 'AKIAEXAMPLE',
  secret_access_key: 'a-secret-of-some-length',
})
const http = () => ({ type: 'http', url: receiver.url('/http') })

const eventsOf = ({ body, headers }: ReceivedRequest) =>
  (headers['content-type'] === 'application/gzip' ? gunzipSync(body) : body)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

it.each([
  ['http', http],
  ['s3', s3],
])('an event destination of type %s gets audit records as valid OCSF events, in order', async (type, config) => {
  const as = await fleet.token(fleet.owner)
  const send = (method: string, path: string, body: unknown, token = as) =>
    fleet.request(method, `/v1/webhooks${path}`, { as: token, body })
  const created = await send('POST', '/destinations', {
    name: 'SIEM',
    content: 'audit',
    format: 'ocsf',
    config: config(),
  })
  expect(created.status).toBe(201)
  const { destination_id: id, position } = created.body.data
  await send('PATCH', `/destinations/${id}`, { name: 'Archive' })
  // A refused request is recorded too.
  const reader = await fleet.token(fleet.owner, 'webhooks:read')
  expect((await send('DELETE', `/destinations/${id}`, undefined, reader)).status).toBe(403)

  const written = () => receiver.received.filter(({ path }) => path.startsWith(`/${type}`)).flatMap(eventsOf)
  await receiver.waitFor(() => written().length >= 3)
  const events = written()
  for (const event of events) expect(ApiActivity.safeParse(event).error).toBeUndefined()
  expect(events.map(({ metadata }) => metadata.sequence)).toEqual(events.map((_, index) => position + 1 + index))
  expect(new Set(events.map(({ metadata }) => metadata.tenant_uid))).toEqual(new Set([fleet.owner.workspaceId]))
  expect(events.map(({ status_id: status }) => status)).toContain(2)
  expect((await send('DELETE', `/destinations/${id}`, undefined)).status).toBe(200)
})
