import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { processes } from '@wp/deploy/processes'
import {
  type BundledProgram,
  bundledProgram,
  eventually,
  findFreePort,
  findFreePorts,
  readProcessInfo,
  readResponse,
} from '@wp/testkit'
import { startLocalFleet } from '../src/fleet.ts'
import { localOptions, readFlags, startFlags } from '../src/options.ts'

type Main = 'main.ts' | 'demo/main.ts'
const localPorts = 1 + Math.max(...Object.values(processes).map(({ localPortOffset }) => localPortOffset))
const dataDir = mkdtempSync(join(tmpdir(), 'wp-local-'))
const children = new Set<ChildProcess>()
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  endServersOf(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
})

/** Ends servers that a fleet left behind because a failed test killed it. */
function endServersOf(folder: string): void {
  for (const pid of serversOf(folder)) process.kill(pid, 'SIGKILL')
}

/** Returns the processes of PostgreSQL and NATS that run on a data folder. */
const serversOf = (folder: string): number[] =>
  globSync('**/{postgres,nats}/server.pid', { cwd: folder })
    .map((file) => Number(readFileSync(join(folder, file), 'utf8').split(' ')[0]))
    .filter((pid) => readProcessInfo(pid)?.command.includes(folder))

let programs: Record<Main, BundledProgram>
beforeAll(async () => {
  programs = {
    'main.ts': await bundledProgram('infra/local/src/main.ts'),
    'demo/main.ts': await bundledProgram('infra/local/src/demo/main.ts'),
  }
})

/** Runs `npm start` or `npm run demo` without npm. */
function run(main: Main, args: string[]) {
  const { path, env } = programs[main]
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child)
    return { code, output }
  })
  return {
    ended,
    output: () => output,
    async until(text: string) {
      await eventually(() => output.includes(text) || !children.has(child), {
        intervalMs: 50,
        description: () => `"${text}" in: ${output}`,
      })
      expect(output).toContain(text)
    },
    stop() {
      child.kill('SIGINT')
      return ended
    },
  }
}

/** Finds free ports: three single ones, and a range for the admin listener and the services. */
async function freePorts(): Promise<{ edge: number; args: string[] }> {
  const [edge, postgres, nats] = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
  const base = await findFreePorts(localPorts)
  return {
    edge,
    args: ['--port', edge, '--base-port', base, '--postgres-port', postgres, '--nats-port', nats].map(String),
  }
}

const credentials = (): Record<string, string> => JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'))

async function whoAmI(apiKey = ''): Promise<number> {
  const response = await fetch(`${credentials().base_url}/v1/auth/me`, { headers: { 'x-api-key': apiKey } })
  return response.status
}

async function ask(path: string, { body, ...more }: { body?: unknown; accept?: string; authorization?: string }) {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json', ...more }
  return (await readResponse(await fetch(credentials().base_url + path, { ...sent, headers }))).body
}

/** Signs in with the mail that is printed on the terminal and shown at /dev/mail. */
async function signsIn({ base_url, owner_email }: Record<string, string>, fleet: ReturnType<typeof run>) {
  const asked = await ask('/v1/auth/login', { body: { email: owner_email } })
  await fleet.until(`mail to ${owner_email}`)
  const { data: mails } = await ask('/dev/mail', { accept: 'application/json' })
  expect(mails).toMatchObject([{ to: owner_email, code: expect.stringMatching(/^\d{6}$/) }])
  const [{ code }] = mails
  expect(fleet.output()).toContain(`code ${code}, link ${base_url}/v1/auth/login/link?token=`)
  expect(await ask('/dev/mail', { accept: 'text/html' })).toContain(code)
  const session = await ask('/v1/auth/verify', { body: { login_id: asked.data.login_id, code } })
  const me = await ask('/v1/auth/me', { authorization: `Bearer ${session.data.access_token}` })
  expect(me.data).toMatchObject({ email: owner_email, workspaces: [{ role: 'owner' }] })
}

describe('npm start', () => {
  it('serves the demo, stops on Ctrl-C, and continues with its data after a restart', async () => {
    const { edge, args } = await freePorts()
    const options = [...args, '--data-dir', dataDir]
    const first = run('main.ts', options)
    await first.until('Press Ctrl-C to stop')
    const made = credentials()
    expect(made.base_url).toBe(`http://127.0.0.1:${edge}`)
    expect(first.output()).toMatch(/ready after \d+\.\d s/)
    for (const value of Object.values(made)) expect(first.output()).toContain(value)

    await signsIn(made, first)

    const second = await run('main.ts', ['--data-dir', dataDir]).ended
    expect(second.code).toBe(1)
    expect(second.output).toMatch(
      /^start: a fleet already runs on \S+ \(process \d+, http:\/\/127\.0\.0\.1:\d+\): [^\n]*\n$/,
    )

    const demo = await run('demo/main.ts', ['--data-dir', dataDir]).ended
    expect({ code: demo.code, output: demo.code === 0 ? '' : demo.output }).toEqual({ code: 0, output: '' })
    expect(demo.output).toContain('"event":"FORECASTING_FINISHED"')
    expect(demo.output).toContain('verified')
    expect(demo.output).toContain('Harbour House is underused on Fridays')
    expect(demo.output).toMatch(/WAPE \d+\.\d % of the selected model, \d+\.\d % of the weekly naive forecast .*less/)

    const stopped = await first.stop()
    expect(stopped.code).toBe(0)
    expect(stopped.output).toContain('stopped')
    expect(existsSync(join(dataDir, 'lock'))).toBe(false)
    await expect(whoAmI()).rejects.toThrow('fetch failed')

    const again = run('main.ts', options)
    await again.until('Press Ctrl-C to stop')
    expect(again.output()).toContain('up to date')
    expect(credentials()).toEqual(made)
    expect([await whoAmI(made.api_key), await whoAmI('key_local.DEV.x.y')]).toEqual([200, 401])
    expect((await again.stop()).code).toBe(0)
  })

  /** Starts a fleet in this process whose start must fail. @returns the message of the error */
  async function failToStart(args: string[], folder: string): Promise<string> {
    const options = localOptions(readFlags([...args, '--data-dir', folder], startFlags), {}, folder)
    const start = startLocalFleet(options, { print: () => {}, signal: new AbortController().signal })
    return start.then(() => 'it has started').catch((error: Error) => error.message)
  }

  it('names the port in use and stops everything when the port of the broker is in use', async () => {
    const { args } = await freePorts()
    const port = Number(args[args.indexOf('--nats-port') + 1])
    const otherServer = createServer().listen(port, '127.0.0.1')
    await once(otherServer, 'listening')
    const folder = mkdtempSync(join(dataDir, 'taken-'))
    try {
      expect(await failToStart(args, folder)).toBe(
        `port ${port}, for nats, is used by another process: stop that process, or choose another port with --nats-port or NATS_PORT`,
      )
      expect(existsSync(join(folder, 'lock'))).toBe(false)
      expect(serversOf(folder)).toEqual([])
    } finally {
      otherServer.close()
    }
  })

  it('lists every port in use, with the options that change them', async () => {
    const { edge, args } = await freePorts()
    const base = Number(args[args.indexOf('--base-port') + 1])
    const nats = Number(args[args.indexOf('--nats-port') + 1])
    const auth = base + processes.auth.localPortOffset
    const servers = [edge, auth, nats].map((port) => createServer().listen(port, '127.0.0.1'))
    try {
      await Promise.all(servers.map((server) => once(server, 'listening')))
      const message = await failToStart(args, mkdtempSync(join(dataDir, 'taken-')))
      expect(message.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
        'these ports are used by other processes: stop them, or choose other ports',
        `${edge} gateway --port or PORT`,
        `${auth} auth --base-port or BASE_PORT`,
        `${nats} nats --nats-port or NATS_PORT`,
      ])
    } finally {
      for (const server of servers) server.close()
    }
  })
})

describe('npm run demo', () => {
  it('prints an error of one line when the remote platform is unavailable', async () => {
    const address = `http://127.0.0.1:${await findFreePort()}`
    const args = ['--base-url', address, '--client-id', 'sp_1', '--client-secret', 's']
    const { code, output } = await run('demo/main.ts', args).ended
    expect(code).toBe(1)
    expect(output.split('\n').at(-2)).toMatch(`demo: ${address} is unavailable: `)
  })
})
