import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { ModelRequest } from '@wp/testkit'
import { eventually, respond, startReceiver } from '@wp/testkit'
import { addMember, createKey } from '../fixture/members.ts'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'integrations', 'ai'] })
const receiver = await startReceiver({
  tls: 'none',
  responder: respond(200, { body: '{"ordered":true}', headers: { 'content-type': 'application/json' } }),
})
const body = { name: 'Orders', provider: 'http', config: { base_url: receiver.url() } }
const integrationId = (await harness.call('POST', '/v1/integrations/integrations', { body })).body.data.integration_id
await harness.call('POST', `/v1/integrations/integrations/${integrationId}/test`)
afterEach(() => {
  harness.model.reset()
  receiver.clear()
})
afterAll(async () => {
  await harness.stop()
  await receiver.close()
})

const createAgent = () =>
  harness.agent({ tools: [{ type: 'http', integration_id: integrationId, methods: ['GET', 'POST'] }] })

const toolName = ({ body }: ModelRequest, ending: string) =>
  body.tools?.find((tool) => tool.function.name.endsWith(ending))?.function.name ?? 'none'

/** A model that orders desks at several paths, then answers. */
const scriptOrder = (...paths: string[]) =>
  harness.model.reply(
    (request) => ({
      text: 'I order.',
      toolCalls: paths.map((path) => ({
        name: toolName(request, 'send'),
        input: { path, method: 'POST', body: { desks: 2 } },
      })),
    }),
    { text: 'Done.' },
  )

const orders = () => receiver.received.filter(({ method }) => method === 'POST').map(({ path }) => path)

const approve = (id: string, body: Record<string, unknown> = {}, as = harness.owner) =>
  harness.call('POST', `${runs}/${id}/approve`, { as, body })

describe('a tool call that requires an approval', () => {
  it('names its integration, and is not made in another one that has the name of its tool by now', async () => {
    const createIntegration = async (name: string) => {
      const created = await harness.call('POST', '/v1/integrations/integrations', { body: { ...body, name } })
      await harness.call('POST', `/v1/integrations/integrations/${created.body.data.integration_id}/test`)
      return String(created.body.data.integration_id)
    }
    const [trial, live] = [await createIntegration('Trial'), await createIntegration('Live')]
    const agent = await harness.agent({
      tools: [trial, live].map((integration_id) => ({ type: 'http', integration_id, methods: ['POST'] })),
    })
    const send = (path: string) => ({ path, method: 'POST' })
    harness.model.reply(
      (request) => ({
        toolCalls: [
          { name: toolName(request, 'send'), input: send('/trial') },
          { name: toolName(request, 'send_2'), input: send('/live') },
        ],
      }),
      { text: 'Done.' },
    )
    const { id, approvals } = (await harness.run(agent)).body.data
    expect(approvals).toMatchObject([
      { title: 'Send to Trial', integration_id: trial },
      { title: 'Send to Live', integration_id: live },
    ])
    await harness.call('PATCH', `/v1/integrations/integrations/${trial}`, { body: { status: 'disconnected' } })
    await approve(id, { approval_id: 'call_1_1' })
    await approve(id, { approval_id: 'call_1_2', approved: false })
    expect(await harness.waitForEnd(id)).toMatchObject({
      steps: [{ status: 'failed', error: expect.stringContaining('no longer offers it') }, { status: 'denied' }],
    })
    expect(orders()).toEqual([])
    const chunks = chunksOf(await collectSse((await harness.open(`${runs}/${id}/events`)).events))
    expect(chunks.flatMap(({ title }) => title ?? [])).toEqual(['Send to Trial', 'Send to Live'])
  })

  it('waits without a worker, and is made as shown when it is approved', async () => {
    scriptOrder('/orders')
    const waiting = await harness.run(await createAgent())
    const { id } = waiting.body.data
    expect(waiting).toMatchObject({
      status: 202,
      body: {
        data: {
          status: 'queued',
          output: 'I order.',
          approvals: [{ id: 'call_1_1', status: 'pending', input: { path: '/orders', body: { desks: 2 } } }],
          steps: [{ id: 'call_1_1', status: 'waiting' }],
        },
      },
    })
    expect(orders()).toEqual([])
    expect(await approve(id, {}, harness.stranger)).toMatchObject({ status: 404 })
    expect(await approve(id)).toMatchObject({
      status: 200,
      body: { data: { approvals: [{ status: 'approved', decided_by: harness.fleet.owner.clientId }] } },
    })
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'finished',
      output: 'Done.',
      steps: [{ id: 'call_1_1', status: 'finished', error: null, duration_ms: expect.any(Number) }],
    })
    expect(orders()).toEqual(['/orders'])
    const audit = await harness.rows<{ actions: string[] }>(
      `SELECT array_agg(data ->> 'action' ORDER BY position) AS actions FROM platform.outbox WHERE data @> $1`,
      [JSON.stringify({ targets: [{ id }] })],
    )
    expect(audit[0]?.actions).toEqual(['agent_run.started', 'agent_run.approval_decided'])
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const chunks = chunksOf(await collectSse((await harness.open(`${runs}/${id}/events`)).events))
    const types = chunks.map(({ type }) => type)
    expect(types.indexOf('tool-approval-request')).toBeLessThan(types.indexOf('tool-output-available'))
    expect(chunks.filter(({ type }) => type === 'start')).toHaveLength(1)
  })

  it('is not made when it is denied, which the model is told', async () => {
    scriptOrder('/orders')
    const { id } = (await harness.run(await createAgent())).body.data
    await approve(id, { approved: false, reason: 'Too expensive' })
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'finished',
      steps: [{ status: 'denied' }],
      approvals: [{ status: 'denied' }],
    })
    expect(orders()).toEqual([])
    const told = harness.model.requests[1]?.body.messages.at(-1)
    expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining('Too expensive') })
  })

  it('is decided call by call, and the run continues after the last decision', async () => {
    scriptOrder('/first', '/second')
    const { id } = (await harness.run(await createAgent())).body.data
    expect(await approve(id)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/approval_id' }] } })
    expect(await approve(id, { approval_id: 'call_9_9' })).toMatchObject({
      status: 400,
      body: { code: 'unknown_reference' },
    })
    await approve(id, { approval_id: 'call_1_1', approved: false })
    expect(await approve(id, { approval_id: 'call_1_1' })).toMatchObject({ status: 409 })
    expect(harness.model.requests).toHaveLength(1)
    await approve(id, { approval_id: 'call_1_2' })
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'finished' })
    expect(orders()).toEqual(['/second'])
  })

  it('is never made when the run is cancelled', async () => {
    scriptOrder('/orders')
    const { id } = (await harness.run(await createAgent())).body.data
    expect(await harness.call('POST', `${runs}/${id}/cancel`)).toMatchObject({ status: 200 })
    expect(await approve(id)).toMatchObject({ status: 409 })
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'cancelled',
      steps: [{ status: 'cancelled' }],
      approvals: [{ status: 'cancelled', decided_by: null, decided_at: null }],
    })
    expect(orders()).toEqual([])
  })

  it('is never made when the caller of the run was revoked before the decision', async () => {
    scriptOrder('/orders')
    const body = { name: 'short-lived', scopes: ['agents:run', 'integrations:read'] }
    const { api_key: key, key_id: keyId } = (await harness.call('POST', '/v1/auth/api-key', { body })).body.data
    const { id } = (await harness.run(await createAgent(), {}, { as: key })).body.data
    expect((await harness.call('DELETE', `/v1/auth/api-key/${keyId}`)).status).toBe(200)
    await approve(id)
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'failed', error: { code: 'caller_revoked' } })
    expect(orders()).toEqual([])
    expect((await harness.events(id)).map(({ kind }) => kind)).toContain('AGENT_RUN_FAILED')
  })

  it('fails its run when it is not decided in time', async () => {
    scriptOrder('/orders')
    const { id } = (await harness.run(await createAgent())).body.data
    await harness.rows('UPDATE platform.jobs SET run_at = now() WHERE id = $1', [id])
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'failed', error: { code: 'run_timeout' } })
    expect(orders()).toEqual([])
  })
})

describe('the decision on a tool call', () => {
  const runner = ['agents:run', 'integrations:read', 'agents:read'] as const
  const author = [...runner, 'agents:write'] as const
  const restricted = (scopes: readonly string[]) => {
    const { ownerId, workspaceId } = harness.fleet.owner
    return harness.fleet.userToken(ownerId, { workspaceId, scopes })
  }
  const session = () => harness.fleet.userToken(harness.fleet.owner.ownerId)
  const callers: [string, () => Promise<string>, number][] = [
    ['a key with agents:run alone', async () => createKey(harness, await session(), runner), 403],
    ['a key with agents:write', async () => createKey(harness, await session(), author), 200],
    [
      'a service principal with agents:run alone',
      () => harness.fleet.token(harness.fleet.owner, runner.join(' ')),
      403,
    ],
    ['a service principal with agents:write', async () => harness.owner, 200],
    ['a token restricted to agents:run', () => restricted(runner), 403],
    ['a token restricted to agents:write', () => restricted(author), 200],
    ['the session of a member with agents:run alone', () => memberWith(runner), 200],
  ]

  async function memberWith(scopes: readonly string[]): Promise<string> {
    const body = { name: 'Runner', scopes }
    const created = await harness.call('POST', '/v1/auth/admin/roles', { as: await session(), body })
    return addMember(harness, created.body.data.role_id)
  }

  it.each(callers)('is made as the credential allows when it is %s', async (_kind, credential, status) => {
    const as = await credential()
    scriptOrder('/orders')
    const { id } = (await harness.run(await createAgent(), {}, { as })).body.data
    const approval = await approve(id, {}, as)
    expect(approval.status).toBe(status)
    if (status === 403) {
      expect(approval.body).toMatchObject({ code: 'missing_scope', required_scope: 'agents:write' })
      expect(orders()).toEqual([])
      expect((await approve(id, { approved: false }, as)).status).toBe(200)
    }
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'finished' })
    expect(orders()).toEqual(status === 200 ? ['/orders'] : [])
  })
})

describe('a tool call without an approval', () => {
  it('is made at once, beside one that waits', async () => {
    harness.model.reply(
      (request) => ({
        toolCalls: [
          { name: toolName(request, 'get'), input: { path: '/stock' } },
          { name: toolName(request, 'send'), input: { path: '/orders', method: 'POST' } },
        ],
      }),
      { text: 'Done.' },
    )
    const { id, steps } = (await harness.run(await createAgent())).body.data
    expect(steps).toMatchObject([{ status: 'finished' }, { status: 'waiting' }])
    await approve(id)
    await harness.waitForEnd(id)
    expect(receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /stock', 'POST /orders'])
    const results = harness.model.requests[1]?.body.messages.filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(2)
  })

  it('is aborted with its run when the run is cancelled', async () => {
    receiver.holdResponses()
    harness.model.reply((request) => ({
      toolCalls: [{ name: toolName(request, 'get'), input: { path: '/slow' } }],
    }))
    const id = await harness.start(await createAgent())
    await receiver.waitFor(({ path }) => path === '/slow')
    await harness.call('POST', `${runs}/${id}/cancel`)
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'cancelled', steps: [{ status: 'interrupted' }] })
    await eventually(() => receiver.inFlight.now === 0, { description: 'the end of the request of the tool' })
    receiver.releaseResponses()
  })
})
