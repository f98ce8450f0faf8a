import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createAuthority,
  createTestDatabase,
  eventually,
  findFreePort,
  startMailbox,
  type TestDatabase,
} from '@wp/testkit'
import { withSocketTimeout } from '../src/providers/catalog/smtp.ts'
import type { ProviderAccess } from '../src/providers/provider.ts'
import { type HttpServer, startHttpServer } from './fixture/http-server.ts'
import { type MailServer, startMailServer } from './fixture/mail-server.ts'
import { createTestAccess, testConnection } from './fixture/provider-access.ts'
import { serveS3 } from './fixture/s3-server.ts'
import { startTcpServer, startTlsBefore, type TcpServer } from './fixture/tcp.ts'

const authority = createAuthority()
let access: ProviderAccess
/** Access with a short timeout. */
let hurried: ProviderAccess
beforeAll(() => {
  access = createTestAccess({}, { ca: authority.certificate })
  hurried = createTestAccess({}, {}, 150)
})
const closing: (() => unknown)[] = []
afterAll(async () => {
  access.outbound.close()
  hurried.outbound.close()
  for (const close of closing) await close()
})

/** Accepts connections and sends nothing. */
async function startMute(): Promise<TcpServer> {
  const server = await startTcpServer((socket) => socket.resume())
  closing.push(server.close)
  return server
}

/** Sends bytes of no known protocol. */
async function startBabble(): Promise<TcpServer> {
  const server = await startTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  closing.push(server.close)
  return server
}

/** Sends a byte at intervals and never a complete message. */
async function startDrip(text: string): Promise<TcpServer> {
  const server = await startTcpServer((socket) => {
    const timer = setInterval(() => socket.write(text), 20)
    socket.once('close', () => clearInterval(timer))
  })
  closing.push(server.close)
  return server
}

describe('postgres', () => {
  let database: TestDatabase
  let config: Record<string, unknown>
  let secrets: { password: string }
  let near: ProviderAccess
  beforeAll(async () => {
    database = await createTestDatabase('integrations')
    const url = new URL(database.url)
    // a server in a container has its own address
    const itsOwn = isIP(url.hostname) === 4 ? [`${url.hostname}/32`] : []
    near = createTestAccess({}, { ca: authority.certificate, allowCidrs: ['127.0.0.0/8', ...itsOwn] })
    config = { host: url.hostname, port: Number(url.port), database: database.name, user: url.username, ssl: 'disable' }
    secrets = { password: decodeURIComponent(url.password) }
  })
  afterAll(async () => {
    near.outbound.close()
    await database.drop()
  })

  const call = (more: Record<string, unknown> = {}, given: Record<string, string> = secrets, own = near) =>
    testConnection(own, 'postgres', { ...config, ...more }, given)

  it('logs in and disconnects', async () => {
    expect(await call()).toBe('ok')
    expect(await call({ host: 'localhost' })).toBe('ok')
  })

  it('resolves the name once and connects to the checked address', async () => {
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    const own = createTestAccess({}, { lookup })
    expect(await call({ host: 'db.test' }, secrets, own)).toBe('ok')
    own.outbound.close()
  })

  it.each([
    ['a wrong password', {}, { password: 'wrong' }, 'unauthorized'],
    ['no password', {}, {}, 'unauthorized'],
    ['an unknown user', { user: 'missing' }, undefined, 'unauthorized'],
    ['no such database', { database: 'nothing' }, undefined, 'not_found'],
    ['TLS of a server that has none', { ssl: 'verify' }, undefined, 'tls'],
  ])('fails with %s', async (_, more, given, code) => {
    expect(await call(more, given)).toMatchObject({ code })
  })

  it('does not send the operator’s password when none is configured', async () => {
    process.env.PGPASSWORD = secrets.password
    try {
      expect(await call({}, {})).toMatchObject({ code: 'unauthorized' })
    } finally {
      delete process.env.PGPASSWORD
    }
  })

  it('accepts a certificate of an authority of the operator or of the user', async () => {
    const before = (names: string[], by = authority) => startTlsBefore(Number(config.port), by.issue({ names }))
    const [own, others, wrong] = [
      await before(['127.0.0.1', 'localhost']),
      await before(['127.0.0.1'], createAuthority()),
      await before(['elsewhere.test']),
    ]
    closing.push(own.close, others.close, wrong.close)
    const secure = (port: number, ca?: string, own = access, host = '127.0.0.1') =>
      call({ host, port, ssl: 'verify' }, ca === undefined ? secrets : { ...secrets, ca }, own)
    const stranger = createTestAccess()
    expect(await secure(own.port)).toBe('ok')
    expect(await secure(own.port, undefined, access, 'localhost')).toBe('ok')
    expect(await secure(own.port, authority.certificate, stranger)).toBe('ok')
    for (const [port, ca, with_] of [
      [own.port, undefined, stranger],
      [others.port, undefined, access],
      [others.port, authority.certificate, stranger],
      [wrong.port, undefined, access],
    ] as const)
      expect(await secure(port, ca, with_)).toMatchObject({ code: 'tls' })
    stranger.outbound.close()
  })

  it('fails within the timeout and closes the connection when the server is not PostgreSQL', async () => {
    const host = '127.0.0.1'
    expect(await call({ host, port: await findFreePort() })).toMatchObject({ code: 'refused' })
    expect(await call({ host, port: (await startBabble()).port })).toMatchObject({ code: 'protocol' })
    for (const server of [await startMute(), await startDrip('S\0\0\0\x08ab')]) {
      for (const ssl of ['disable', 'verify'])
        expect(['timeout', 'protocol', 'tls']).toContain(
          Object(await call({ host, port: server.port, ssl }, secrets, hurried)).code,
        )
      await eventually(() => server.open.size === 0)
    }
    expect(await call({ host, port: (await startMute()).port }, secrets, hurried)).toMatchObject({ code: 'timeout' })
  })
})

it('tests one PostgreSQL server of a workspace at a time, and one of another workspace beside it', async () => {
  const server = await startMute()
  const { postgresSlots } = access
  const config = { host: '127.0.0.1', port: server.port, database: 'd', user: 'u', ssl: 'disable' }
  const test = (workspaceId: string) => testConnection(access, 'postgres', config, {}, 10_000, workspaceId)
  const hostile = [test('ws_1'), test('ws_1'), test('ws_1')]
  await eventually(() => server.open.size === 1 && postgresSlots.waiting === 2)
  const other = test('ws_2')
  await eventually(() => server.open.size === 2)
  expect(postgresSlots.waiting).toBe(2)
  server.close()
  for (const outcome of await Promise.all([...hostile, other])) expect(outcome).not.toBe('ok')
})

describe('smtp', () => {
  const account = { user: 'ann', password: 'right' }
  const identity = () => {
    const { certificate: cert, key } = authority.issue({ names: ['127.0.0.1', 'localhost'] })
    return { cert, key }
  }
  let upgrading: MailServer
  let secure: MailServer
  beforeAll(async () => {
    upgrading = await startMailServer(account, identity())
    secure = await startMailServer(account, { ...identity(), secure: true })
    closing.push(upgrading.close, secure.close)
  })
  const call = (config: Record<string, unknown>, password?: string, own = access) =>
    testConnection(own, 'smtp', { host: '127.0.0.1', ...config }, password === undefined ? {} : { password })

  it('logs in over STARTTLS or TLS and disconnects', async () => {
    expect(await call({ port: upgrading.port, user: 'ann' }, 'right')).toBe('ok')
    expect(await call({ host: 'localhost', port: upgrading.port, user: 'ann' }, 'right')).toBe('ok')
    expect(await call({ port: secure.port, security: 'tls', user: 'ann' }, 'right')).toBe('ok')
    expect([...upgrading.logins, ...secure.logins]).toEqual(Array(3).fill({ user: 'ann', isSecure: true }))
  })

  it('fails when the password is wrong', async () => {
    for (const config of [{ port: upgrading.port }, { port: secure.port, security: 'tls' }])
      expect(await call({ ...config, user: 'ann' }, 'wrong')).toMatchObject({ code: 'unauthorized' })
  })

  it('succeeds without login when no user is configured', async () => {
    const mailbox = await startMailbox()
    closing.push(mailbox.close)
    const port = Number(new URL(mailbox.url).port)
    expect(await call({ port, security: 'none' })).toBe('ok')
    expect(await call({ port })).toMatchObject({ code: 'tls' })
    expect(mailbox.mails).toEqual([])
  })

  it('fails when the certificate is not trusted', async () => {
    for (const config of [{ port: upgrading.port }, { port: secure.port, security: 'tls' }])
      expect(await call(config, undefined, createTestAccess())).toMatchObject({ code: 'tls' })
    const { certificate: cert, key } = authority.issue({ names: ['elsewhere.test'] })
    const other = await startMailServer(account, { cert, key })
    closing.push(other.close)
    expect(await call({ port: other.port, user: 'ann' }, 'right')).toMatchObject({ code: 'tls' })
    expect(other.logins).toEqual([])
  })

  it('fails within the timeout and closes the connection when the server is not a mail server', async () => {
    expect(await call({ port: await findFreePort() })).toMatchObject({ code: 'refused' })
    expect(await call({ port: (await startBabble()).port })).toMatchObject({ code: 'protocol' })
    for (const server of [await startMute(), await startDrip('220-wait\r\n')]) {
      expect(await call({ port: server.port }, undefined, hurried)).toMatchObject({ code: 'timeout' })
      await eventually(() => server.open.size === 0)
    }
  })
})

it('the socket timeout covers the whole exchange when the client library does not time out', async () => {
  const server = await startDrip('.')
  const socket = await access.outbound.connect({ host: '127.0.0.1', port: server.port })
  const forever = () => new Promise<void>(() => {})
  await expect(
    withSocketTimeout({ timeoutMs: 100, signal: new AbortController().signal }, 'The server', socket, forever),
  ).rejects.toMatchObject({
    code: 'timeout',
    message: 'The server took longer than 100 ms',
  })
  await eventually(() => server.open.size === 0)
})

describe('s3', () => {
  let server: HttpServer
  const store = {
    region: 'eu-north-1',
    bucket: 'the.bucket-1',
    accessKeyId: 'AKIA1',
    secretAccessKey: randomBytes(20).toString('base64'),
  }
  beforeAll(async () => {
    server = await startHttpServer(serveS3(store))
    closing.push(server.close)
  })
  const call = (more: Record<string, unknown> = {}, secret_access_key = store.secretAccessKey) =>
    testConnection(
      access,
      's3',
      { endpoint: server.url, region: store.region, bucket: store.bucket, access_key_id: store.accessKeyId, ...more },
      { secret_access_key },
    )

  it('signs requests as the store expects', async () => {
    expect(await call()).toBe('ok')
    expect(await call({ endpoint: `${server.url}/` })).toBe('ok')
  })

  it.each([
    ['a wrong secret', {}, 'wrong', 'unauthorized', 'SignatureDoesNotMatch'],
    ['a wrong key', { access_key_id: 'AKIA2' }, undefined, 'unauthorized', 'InvalidAccessKeyId'],
    ['no such bucket', { bucket: 'another' }, undefined, 'not_found', 'NoSuchBucket'],
  ])('fails with %s', async (_, more, secret, code, said) => {
    expect(await call(more, secret)).toEqual({ code, message: expect.stringContaining(said) })
  })

  it('fails when the server is not an object store', async () => {
    expect(await call({ region: 'us-east-1' })).toMatchObject({ code: 'protocol' })
    const other = await startHttpServer(() => ({}))
    closing.push(other.close)
    expect(await call({ endpoint: other.url })).toMatchObject({ code: 'protocol' })
  })
})
