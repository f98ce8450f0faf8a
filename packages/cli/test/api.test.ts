import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'
import { createProgram, type Program } from './fixture/program.ts'

const fleet = await startTestFleet({ services: ['auth', 'data', 'system', 'integrations', 'solutions'] })
const wp = await createProgram(fleet.baseUrl, { WP_API_KEY: fleet.owner.apiKey })
afterAll(async () => {
  await wp.close()
  await fleet.stop()
})

describe('wp api', () => {
  it('sends a request with a query, and prints JSON', async () => {
    const body = { name: 'Doors', provider: 'upload' }
    const created = await wp.run(['api', 'POST', '/v1/data/sources', '--data', JSON.stringify(body)])
    expect(created).toMatchObject({ code: 0, stderr: '' })
    const { data_source_id: id } = JSON.parse(created.stdout).data
    const file = join(wp.folder, 'change.json')
    await writeFile(file, '{"name": "Gates"}')
    expect((await wp.run(['api', 'patch', `/v1/data/sources/${id}`, '--data', `@${file}`])).code).toBe(0)
    const listed = await wp.run(['api', 'GET', '/v1/data/sources?search=gate&limit=1', '--jq', '.data[].name'])
    expect(listed).toEqual({ code: 0, stdout: 'Gates\n', stderr: '' })
    const rows = { input: 'door,count\nNorth,3\n', endsInput: true }
    const path = `/v1/data/sources/${id}/records`
    const uploaded = await wp.run(
      ['api', 'POST', path, '--data', '-', '--type', 'text/csv', '--jq', '.data.counts.created'],
      rows,
    )
    expect(uploaded).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    expect((await wp.run(['api', 'DELETE', `/v1/data/sources/${id}`])).code).toBe(0)
  })

  it('reports an error of the platform, and what it cannot send', async () => {
    const missing = await wp.run(['api', 'GET', '/v1/data/sources/src_01h455vb4pex5vsknk084sn02q'])
    expect(missing).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^wp: .+ \(not_found, request /),
    })
    for (const [args, message] of [
      [['PUT', '/v1/auth/me'], 'PUT: the method must be one of'],
      [['GET', 'https://other.example.com/v1/auth/me'], 'a path begins with one /'],
      [['GET', '//other.example.com/v1/auth/me'], 'a path begins with one /'],
      [['POST', '/v1/data/sources', '--data', '{'], '--data: '],
      [['POST', '/v1/data/sources', '--data', '@absent.json'], 'absent.json cannot be read'],
    ] as const)
      expect(await wp.run(['api', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})

describe('the commands of resources', () => {
  it('set, print, list and delete a variable', async () => {
    const set = await wp.run(['variables', 'set', '--data', '{"name":"REGION","value":"eu"}'])
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('name\tREGION\n') })
    expect((await wp.run(['variables', 'get', 'REGION', '--jq', '.value'])).stdout).toBe('eu\n')
    expect((await wp.run(['variables', 'list'])).stdout).toContain('REGION\t')
    expect(await wp.run(['variables', 'delete', 'REGION'])).toMatchObject({ code: 0, stderr: 'Deleted REGION.\n' })
    expect((await wp.run(['variables', 'list'])).stdout).not.toContain('REGION')
  })

  it('create, change and delete a space, and list members, teams, integrations and scenarios', async () => {
    const body = { name: 'Berlin', kind: 'site', timezone: 'Europe/Berlin' }
    const created = await wp.run(['spaces', 'create', '--data', JSON.stringify(body), '--json=id'])
    const { id } = JSON.parse(created.stdout)
    expect((await wp.run(['spaces', 'update', id, '--data', '{"name":"Berlin East"}'])).stdout).toContain('Berlin East')
    expect(await wp.run(['spaces', 'delete', id])).toMatchObject({ code: 0, stderr: `Deleted ${id}.\n` })
    expect((await wp.run(['members', 'list'])).code).toBe(0)
    for (const name of ['teams', 'integrations', 'scenarios'])
      expect(await wp.run([name, 'list'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('Ctrl-C', () => {
  let server: Server
  let slow: Program
  beforeAll(async () => {
    const sync = { id: 'sync_1', status: 'running', progress: 0.5, error: null }
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, data: sync }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    slow = await createProgram(`http://127.0.0.1:${address.port}`, { WP_API_KEY: 'key' })
  })
  afterAll(async () => {
    await slow.close()
    server.closeAllConnections()
    server.close()
  })

  it('ends the waiting and says how to stop the job', async () => {
    const program = slow.start(['sources', 'sync', 'src_1', '--wait'])
    const isWaiting = new Promise((resolve) => server.on('request', ({ method }) => method === 'GET' && resolve(null)))
    await isWaiting
    program.signal('SIGINT')
    const { code, stderr } = await program.ended
    expect(stderr).toContain(
      'The platform goes on with sync_1. To stop it, run: wp api POST /v1/data/syncs/sync_1/cancel\n',
    )
    expect(code).toBe(130)
  })
})
