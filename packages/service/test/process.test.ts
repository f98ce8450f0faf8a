import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, findFreePort, programEnvironment } from '@wp/testkit'
import { z } from 'zod'
import {
  ConfigError,
  createLogger,
  createSealer,
  createUpstreams,
  defineService,
  listenOn,
  processConfig,
  readConfig,
  startService,
} from '../src/index.ts'
import { startBoxes } from './fixture.ts'

const boxes = await startBoxes()
afterAll(() => boxes.stop())

describe('a configuration', () => {
  const read = (env: Record<string, string>) => readConfig(z.object(processConfig), { ...boxes.env, ...env })

  it('is parsed from strings', () => {
    expect(read({ PORT: '8080', UPSTREAM_OVERRIDES: 'auth=http://a:1, data=http://b:2' })).toMatchObject({
      PORT: 8080,
      UPSTREAM_OVERRIDES: { auth: 'http://a:1', data: 'http://b:2' },
    })
  })

  it.each([
    [{ PORT: 'http' }, /PORT is not valid: must be a whole number/],
    [{ PORT: '70000' }, /PORT is not valid: must be at most 65535/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL is not valid: must be one of fatal, error, warn, info, debug, silent$/],
    [{ SHARD: 'Bad-Shard' }, /SHARD is not valid/],
    [{ PUBLIC_BASE_URL: 'http://api.example.com' }, /PUBLIC_BASE_URL is not valid: must be https, except on loopback/],
    [{ ASSERTION_KEY_FILE: '' }, /ASSERTION_KEY_FILE is missing/],
  ])('is rejected with the name of the bad variable: %j', (env, message) => {
    expect(() => read(env)).toThrow(message)
    expect(() => read(env)).toThrow(ConfigError)
  })

  it('is rejected with the names of all bad variables, without their values', () => {
    const attempt = () => read({ PORT: 'secret-looking', LOCATION: 'x' })
    expect(attempt).toThrow(/PORT.*LOCATION/s)
    expect(attempt).not.toThrow(/secret-looking/)
  })
})

describe('the address of a service', () => {
  it('is in the shard of the workspace, and in the home shard for a global service', () => {
    const upstreams = createUpstreams({
      SHARD: 'home',
      UPSTREAM: 'http://{service}.{shard}.example',
      UPSTREAM_OVERRIDES: { solutions: 'http://127.0.0.1:1', 'audit.far': 'http://127.0.0.1:2/' },
    })
    expect(upstreams.addressOf('data', 'far')).toBe('http://data.far.example')
    expect(upstreams.addressOf('auth', 'far')).toBe('http://auth.home.example')
    expect(upstreams.addressOf('system', 'far')).toBe('http://system.home.example')
    expect(upstreams.addressOf('solutions', 'far')).toBe('http://127.0.0.1:1')
    expect(upstreams.addressOf('audit', 'far')).toBe('http://127.0.0.1:2')
    expect(upstreams.addressOf('audit', 'home')).toBe('http://audit.home.example')
  })
})

describe('a process', () => {
  it('exits with status 1 after one clear line when a value is bad', async () => {
    const main = new URL('../../../services/audit/src/main.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [main], {
      env: programEnvironment({ ...boxes.env, PORT: 'many' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += String(chunk)
    })
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
    expect(errors).toMatch(/^audit: PORT is not valid: must be a whole number;.*\n$/)
  })

  it('names the port that is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(listenOn(createHttpServer(), '127.0.0.1', port)).rejects.toThrow(
      `port ${port} on 127.0.0.1 is already in use`,
    )
    holder.close()
  })

  it('serves health, readiness and metrics', async () => {
    expect((await fetch(`${boxes.running.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${boxes.running.url}/readyz`)).status).toBe(200)
    await boxes.request('GET', '/v1/data/boxes')
    const metrics = await (await fetch(`${boxes.running.url}/metrics`)).text()
    expect(metrics).toMatch(/http_request_seconds_count\{service="data",endpoint="data.list",status="200"\} \d/)
  })

  it('stops everything it started when a worker fails to start', async () => {
    const stopped: string[] = []
    const worker = (name: string, start: () => Promise<void>) => ({
      name,
      start,
      stop: async () => void stopped.push(name),
    })
    const definition = defineService({
      name: 'data',
      config: z.object(processConfig),
      createContext: async () => undefined,
      createService: () => ({
        surfaces: [],
        workers: [
          worker('good', async () => undefined),
          worker('bad', () => Promise.reject(new Error('the broker is on fire'))),
        ],
        close: async () => void stopped.push('service'),
      }),
    })
    const port = await findFreePort()
    await expect(startService(definition, { ...boxes.env, PORT: String(port) })).rejects.toThrow('on fire')
    expect(stopped).toEqual(['good', 'service'])
    const again = createServer().listen(port, '127.0.0.1')
    await once(again, 'listening')
    again.close()
  })

  it('finishes requests in flight when it stops, and marks their responses as the last', async () => {
    const stopping = await startBoxes()
    const { promise, resolve } = Promise.withResolvers<void>()
    stopping.seen.gate = promise
    const inFlight = stopping.request('GET', '/v1/data/boxes/box_1')
    await eventually(() => stopping.seen.callers.length > 0)
    const stopped = stopping.stop()
    resolve()
    const response = await inFlight
    expect(response.status).toBe(200)
    expect(response.headers.get('connection')).toBe('close')
    await stopped
    await expect(fetch(`${stopping.running.url}/healthz`)).rejects.toThrow()
  })
})

describe('a log line', () => {
  it('masks values under names of secrets at any depth', () => {
    const lines: string[] = []
    const log = createLogger('test', 'info', { write: (line: string) => void lines.push(line) })
    log.info(
      {
        client_secret: 'hunter2',
        body: { api_key: 'hunter2' },
        headers: { authorization: 'hunter2', 'x-api-key': 'hunter2' },
        a: { b: { token: 'hunter2' } },
      },
      'x',
    )
    expect(lines.join()).not.toContain('hunter2')
    expect(lines.join()).toContain('[redacted]')
  })

  it('masks sign-in codes in snake case and camel case', () => {
    const lines: string[] = []
    const log = createLogger('test', 'info', { write: (line: string) => void lines.push(line) })
    log.info(
      {
        login_code: 'hunter2',
        loginCode: 'hunter2',
        body: { code: 'hunter2', code_verifier: 'hunter2' },
        request: { query: { code: 'hunter2' }, body: { code: 'hunter2' } },
        clientSecret: 'hunter2',
        response: { apiKey: 'hunter2', accessToken: 'hunter2', data: { refreshToken: 'hunter2' } },
      },
      'x',
    )
    expect(lines.join()).not.toContain('hunter2')
  })

  it('shows the codes of errors', () => {
    const lines: string[] = []
    const log = createLogger('test', 'info', { write: (line: string) => void lines.push(line) })
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    log.error({ err: cause, code: 'bad_gateway' }, 'x')
    expect(JSON.parse(lines.join())).toMatchObject({ code: 'bad_gateway', err: { code: 'ECONNREFUSED' } })
  })
})

describe('a sealed secret', () => {
  const kek = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

  it('can be opened with its key and associated data only', () => {
    const sealer = createSealer(kek())
    const sealed = sealer.seal('hunter2', 'wh_1')
    expect(sealed).not.toContain('hunter2')
    expect(sealer.open(sealed, 'wh_1')).toBe('hunter2')
    expect(() => sealer.open(sealed, 'wh_2')).toThrow()
    expect(() => createSealer(kek()).open(sealed, 'wh_1')).toThrow(/unknown key/)
    expect(() => sealer.open(`${sealed.slice(0, -2)}AA`, 'wh_1')).toThrow()
  })

  it('can be opened under the previous key after a rotation, and is then stale', () => {
    const [old, fresh] = [kek(), kek()]
    const sealed = createSealer(old).seal('hunter2', 'x')
    const rotated = createSealer(fresh, old)
    expect(rotated.open(sealed, 'x')).toBe('hunter2')
    expect(rotated.isStale(sealed)).toBe(true)
    expect(rotated.isStale(rotated.seal('hunter2', 'x'))).toBe(false)
  })
})
