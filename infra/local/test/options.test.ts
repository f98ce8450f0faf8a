import { describe, expect, it } from '@jest/globals'
import { demoOptions } from '../src/demo/options.ts'
import { localFlags, localOptions, readFlags } from '../src/options.ts'
import { assignPorts, portOf } from '../src/ports.ts'
import { UsageError } from '../src/usage-error.ts'

const local = (args: string[] = [], env: Record<string, string> = {}) =>
  localOptions(readFlags(args, localFlags), env, '/project')
const demo = (args: string[] = [], env: Record<string, string> = {}) =>
  demoOptions(args, env, { root: '/project', machineZone: 'Europe/Berlin' })

describe('localOptions', () => {
  it('has a default for every option', () => {
    expect(local()).toEqual({
      environment: 'development',
      port: 8080,
      basePort: 8100,
      postgresPort: 15432,
      natsPort: 14222,
      dataDir: '/project/.local',
      without: [],
      env: {},
      workingFolder: '.',
      verbose: false,
    })
  })

  it('has ports and a folder of its own for the sandbox', () => {
    expect(local(['--environment', 'sandbox'])).toMatchObject({
      environment: 'sandbox',
      port: 9080,
      basePort: 9100,
      postgresPort: 15532,
      natsPort: 14322,
      dataDir: '/project/.local/sandbox',
    })
    const env = { DATA_DIR: 'elsewhere', INIT_CWD: '/home/me' }
    expect(local(['--environment', 'sandbox'], env).dataDir).toBe('/home/me/elsewhere/sandbox')
    expect(local(['--environment', 'sandbox', '--data-dir', '/data'], env).dataDir).toBe('/data')
  })

  it('prefers the command line to the environment', () => {
    const env = { PORT: '9001', BASE_PORT: '9100', DATA_DIR: 'elsewhere', INIT_CWD: '/home/me' }
    expect(local([], env)).toMatchObject({ port: 9001, basePort: 9100, dataDir: '/home/me/elsewhere' })
    expect(local(['--port', '9002', '--data-dir', '/data', '--without', 'data, gateway'], env)).toMatchObject({
      port: 9002,
      basePort: 9100,
      dataDir: '/data',
      without: ['data', 'gateway'],
    })
  })

  it.each([
    [['--port', '0'], {}, '--port must be a port from 1 to 65500, not 0'],
    [[], { NATS_PORT: 'many' }, 'NATS_PORT must be a port from 1 to 65500, not many'],
    [['--environment', 'production'], {}, '--environment must be development or sandbox, not production'],
    [['--without', 'kitchen'], {}, '--without: there is no service kitchen'],
    [['--prot', '1'], {}, "unknown option '--prot'; npm start -- --help lists the options"],
    [['--port'], {}, "option '--port <value>' argument missing; npm start -- --help lists the options"],
    [['8080'], {}, "unexpected argument '8080'; npm start -- --help lists the options"],
  ])('rejects %j %j with a usage error', (args, env: Record<string, string>, message) => {
    expect(() => local(args, env)).toThrow(UsageError)
    expect(() => local(args, env)).toThrow(message)
  })
})

describe('assignPorts', () => {
  it('assigns the ports after the base port to the services', () => {
    const ports = assignPorts(local())
    expect([portOf(ports, 'gateway'), portOf(ports, 'admin'), portOf(ports, 'auth'), portOf(ports, 'system')]).toEqual([
      8080, 8100, 8101, 8102,
    ])
    expect(new Set([...ports.values()].map(({ port }) => port)).size).toBe(ports.size)
  })

  it('rejects two listeners on one port', () => {
    expect(() => assignPorts(local(['--port', '8101']))).toThrow(
      'port 8101 is assigned to both gateway and auth: change it with --base-port or BASE_PORT',
    )
  })
})

describe('demoOptions', () => {
  it('has a default for every option', () => {
    expect(demo()).toMatchObject({
      remote: undefined,
      csv: undefined,
      columns: {},
      timezone: 'Europe/Berlin',
      webhook: { host: '127.0.0.1', port: 0, authorityFolder: '/project/.local' },
    })
  })

  it('resolves paths against the working folder of the user and accepts a remote platform', () => {
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
    [['--base-url', 'https://api.example.com'], '--base-url requires --client-id and --client-secret'],
    [['--base-url', 'nowhere'], 'nowhere is not a URL'],
  ])('rejects %j with a usage error', (args, message) => {
    expect(() => demo(args)).toThrow(UsageError)
    expect(() => demo(args)).toThrow(message)
  })
})
