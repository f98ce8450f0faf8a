import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  eventually,
  findFreePort,
  type ReceivedRequest,
  startReceiver,
  startTestFleet,
  testAuthority,
} from '@wp/testkit'
import { readGuides } from './fixture/guides.ts'
import { createSampleProject, findPython, type SampleProject } from './fixture/run-samples.ts'

const root = join(import.meta.dirname, '../../..')
const samples = readGuides().find(({ name }) => name === 'webhooks/receivers.md')?.samples ?? []
const python = findPython()
const hasPython = (module: string) => python !== undefined && spawnSync(python, ['-c', `import ${module}`]).status === 0

/** Starts a Next.js route handler as the framework calls it: with the request and response of the web. */
const nextServer = `
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { POST } from './receiver.mjs'
createServer(async (request, response) => {
  const { method, headers } = request
  if (method !== 'POST') return response.writeHead(405).end()
  const answer = await POST(new Request('http://localhost/hooks', { method, headers, body: await buffer(request) }))
  response.writeHead(answer.status).end(await answer.text())
}).listen(process.env.PORT)
`

/** The receivers in the order of the guide, with the command that starts each and why it cannot be. */
const receivers = [
  { name: 'Express', command: () => [process.execPath, 'receiver.mjs'], missing: '' },
  { name: 'Fastify', command: () => [process.execPath, 'receiver.mjs'], missing: '' },
  { name: 'Next.js', command: () => [process.execPath, 'server.mjs'], missing: '' },
  {
    name: 'FastAPI',
    command: (port: string) => [python ?? '', '-m', 'uvicorn', 'receiver:app', '--port', port],
    missing: hasPython('fastapi, uvicorn') ? '' : ' (skipped: see clients/python/run-tests.sh)',
  },
  {
    name: 'Flask',
    command: (port: string) => [python ?? '', '-m', 'flask', '--app', 'receiver', 'run', '--port', port],
    missing: hasPython('flask') ? '' : ' (skipped: see clients/python/run-tests.sh)',
  },
].map((receiver, index) => ({ ...receiver, sample: samples[index] }))

let project: SampleProject
let secret: string
let delivery: ReceivedRequest
const processes: ChildProcess[] = []

beforeAll(async () => {
  project = await createSampleProject()
  for (const [name, path] of [
    ['express', 'gateway/node_modules/express'],
    ['fastify', 'bench/node_modules/fastify'],
  ] as const)
    symlinkSync(join(root, path), join(project.folder, 'node_modules', name))
  ;[secret, delivery] = await recordDelivery()
})
afterAll(async () => {
  for (const child of processes) child.kill()
  project?.remove()
})

/** Returns the secret of a subscription and a delivery as the platform sent it. */
async function recordDelivery(): Promise<[string, ReceivedRequest]> {
  const [fleet, receiver] = await Promise.all([
    startTestFleet({
      services: ['auth', 'webhook-delivery'],
      outbound: { OUTBOUND_CA_FILE: testAuthority().file },
    }),
    startReceiver(),
  ])
  try {
    const body = { endpoint: receiver.url('/hooks'), events: ['*'], generate_secret: true }
    const as = fleet.owner.apiKey
    const created = await fleet.request('POST', '/v1/webhooks/webhooks', { as, body })
    expect(created.status).toBe(201)
    await fleet.request('POST', `/v1/webhooks/webhooks/${created.body.data.webhook_id}/test`, { as })
    const [first] = await receiver.waitFor(1)
    if (first === undefined) throw new Error('nothing was delivered')
    return [created.body.data.secret, first]
  } finally {
    await Promise.all([fleet.stop(), receiver.close()])
  }
}

/** Sends what the platform sent, with some of it changed. */
async function send(address: string, changes: { body?: string; headers?: Record<string, string | undefined> } = {}) {
  const headers = { ...delivery.headers, ...changes.headers, host: undefined, 'content-length': undefined }
  const kept = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const body = changes.body ?? new Uint8Array(delivery.body)
  const response = await fetch(address, { method: 'POST', headers: Object.fromEntries(kept), body })
  await response.text()
  return response.status
}

describe.each(receivers)('the receiver for $name', ({ name, sample, command, missing }) => {
  const test = missing === '' ? it : it.skip

  test(`takes a delivery, and refuses a forged, an unsigned and a replayed one${missing}`, async () => {
    if (sample === undefined) throw new Error(`the guide has no receiver for ${name}`)
    const folder = mkdtempSync(join(project.folder, 'receiver-'))
    writeProgram(folder, sample)
    const port = String(await findFreePort())
    const [program = '', ...args] = command(port)
    const env = { PATH: process.env.PATH, PORT: port, WEBHOOK_SECRET: secret, PYTHONUNBUFFERED: '1' }
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    processes.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    const address = `http://127.0.0.1:${port}/hooks`
    const isOpen = () =>
      fetch(address).then(
        () => true,
        () => false,
      )
    await eventually(isOpen, { description: () => `the receiver listens: ${output}` })

    expect(await send(address)).toBe(204)
    await eventually(() => output.includes('WEBHOOK_TEST'), { description: () => `the delivery in: ${output}` })
    const forged = delivery.body.toString().replace('WEBHOOK_TEST', 'API_KEY_CREATED')
    expect(await send(address, { body: forged })).toBe(400)
    expect(await send(address, { headers: { 'x-webhook-signature': undefined } })).toBe(400)
    expect(await send(address, { headers: { 'webhook-timestamp': undefined } })).toBe(400)
    const later = String(Number(delivery.headers['webhook-timestamp']) + 60)
    expect(await send(address, { headers: { 'webhook-timestamp': later } })).toBe(400)
    expect(output).not.toContain('API_KEY_CREATED')
  })
})

it('the guide has no receiver that is not tested', () => {
  expect(samples.map(({ title }) => title)).toEqual([
    ...['receiver.ts', 'receiver.ts', 'app/hooks/route.ts', 'receiver.py', 'receiver.py'],
  ])
})

function writeProgram(folder: string, { code, language }: { code: string; language: string }): void {
  mkdirSync(folder, { recursive: true })
  if (language === 'python') writeFileSync(join(folder, 'receiver.py'), code)
  else {
    writeFileSync(join(folder, 'receiver.mjs'), stripTypeScriptTypes(code))
    writeFileSync(join(folder, 'server.mjs'), nextServer)
  }
}
