import { describe, expect, it } from '@jest/globals'
import { demoOptions } from '../src/demo/options.ts'
import { localFlags, localOptions, readFlags } from '../src/options.ts'
import { assignPorts, portOf } from '../src/ports.ts'
import { UsageError } from '../src/usage-error.ts'

const local = (args: string[] = [], env: Record<string, string> = {}) =>
  localOptions(readFlags(args, localFlags), env, '/project')
const demo = (args: string[] = [], env: Record<string, string> = {}) =>
  demoOptions(args, env, { root: '/project', machineZone: 'Europe/Berlin' })

describe('what a fleet is told', () => {
  it('has a preset for everything', () => {
    expect(local()).toEqual({
      ...{ port: 8080, basePort: 8100, postgresPort: 15432, natsPort: 14222 },
      ...{ dataDir: '/project/.local', without: [], signIn: {}, verbose: false },
    })
  })

  it('comes from the command line before the environment', () => {
    const env = { PORT: '9001', BASE_PORT: '9100', DATA_DIR: 'elsewhere', INIT_CWD: '/home/me' }
    expect(local([], env)).toMatchObject({ port: 9001, basePort: 9100, dataDir: '/home/me/elsewhere' })
    expect(local(['--port', '9002', '--data-dir', '/data', '--without', 'data, gateway'], env)).toMatchObject({
      ...{ port: 9002, basePort: 9100, dataDir: '/data', without: ['data', 'gateway'] },
    })
  })

  it('hands on what is set about signing in, and nothing else', () => {
    const env = {
      SIGNUP: 'closed',
      GOOGLE_CLIENT_ID: 'x',
      GITHUB_CLIENT_ID: '',
      SMTP_URL: 'smtp://elsewhere',
      KEK: 'x',
    }
    expect(local([], env).signIn).toEqual({ SIGNUP: 'closed', GOOGLE_CLIENT_ID: 'x' })
  })

  it.each([
    [['--port', '0'], {}, '--port must be a port from 1 to 65500, not 0'],
    [[], { NATS_PORT: 'many' }, 'NATS_PORT must be a port from 1 to 65500, not many'],
    [['--without', 'kitchen'], {}, '--without: there is no service kitchen'],
    [['--prot', '1'], {}, "Unknown option '--prot'"],
  ])('refuses %j %j in one line', (args, env: Record<string, string>, message) => {
    expect(() => local(args, env)).toThrow(UsageError)
    expect(() => local(args, env)).toThrow(message)
  })
})

describe('the ports', () => {
  it('follow the base port in the order of the services', () => {
    const ports = assignPorts(local())
    expect([portOf(ports, 'gateway'), portOf(ports, 'admin'), portOf(ports, 'auth'), portOf(ports, 'system')]).toEqual([
      8080, 8100, 8101, 8102,
    ])
    expect(new Set([...ports.values()].map(({ port }) => port)).size).toBe(ports.size)
  })

  it('are refused when two are the same', () => {
    expect(() => assignPorts(local(['--port', '8101']))).toThrow(
      'port 8101 is asked for twice, for gateway and auth: change it by --base-port or BASE_PORT',
    )
  })
})

describe('what the demo is told', () => {
  it('has a preset for everything', () => {
    expect(demo()).toMatchObject({
      ...{ remote: undefined, csv: undefined, columns: {}, timezone: 'Europe/Berlin' },
      webhook: { host: '127.0.0.1', port: 0, authorityFolder: '/project/.local' },
    })
  })

  it('takes paths from where the user stands, and a platform elsewhere', () => {
    const remote = ['--base-url', 'https://api.example.com', '--client-id', 'sp_1']
    const env = { CLIENT_SECRET: 's', INIT_CWD: '/home/me', WEBHOOK_HOST: 'demo' }
    expect(demo(['--csv', '../door.csv', ...remote, '--webhook-port', '8443', '--authority', 'ca'], env)).toMatchObject(
      {
        csv: '/home/door.csv',
        remote: { baseUrl: 'https://api.example.com', clientId: 'sp_1', clientSecret: 's' },
        webhook: { host: 'demo', port: 8443, authorityFolder: '/home/me/ca' },
      },
    )
  })

  it.each([
    [['--timezone', 'Mars/Olympus'], '--timezone: Mars/Olympus is not an IANA time zone'],
    [['--base-url', 'https://api.example.com'], '--base-url needs --client-id and --client-secret'],
    [['--base-url', 'nowhere'], 'nowhere is not an address'],
  ])('refuses %j in one line', (args, message) => {
    expect(() => demo(args)).toThrow(UsageError)
    expect(() => demo(args)).toThrow(message)
  })
})
