import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createOutbound } from '../src/index.ts'
import { authority, closeServers, httpsServer, localOutbound, tcpServer } from './servers.ts'

afterAll(closeServers)

/** Makes one call in its own process, with a hostile environment, and prints the status or the kind of failure. */
const script = `
import { createOutbound } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
const [url, caFile] = process.argv.slice(1)
const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'], caFile: caFile || undefined })
const result = await outbound.request({ url }).then(({ status }) => status, ({ kind }) => kind)
process.stdout.write(String(result))
outbound.close()
`

const folder = await mkdtemp(join(tmpdir(), 'outbound-'))
const server = await httpsServer((_request, response) => response.end('direct'))
const proxy = await tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))

afterAll(() => rm(folder, { recursive: true }))

async function callIn(environment: Record<string, string>, ca: string): Promise<string> {
  const args = ['--input-type=module', '--eval', script, `https://127.0.0.1:${server.port}/`, ca]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment })
  return stdout
}

describe('an environment variable', () => {
  it('cannot set a proxy', async () => {
    const address = `http://127.0.0.1:${proxy.port}`
    const environment = {
      HTTPS_PROXY: address,
      https_proxy: address,
      HTTP_PROXY: address,
      ALL_PROXY: address,
      NODE_USE_ENV_PROXY: '1',
    }
    expect(await callIn(environment, authority.file)).toBe('200')
    expect(proxy.sockets).toHaveLength(0)
  })

  it('cannot disable certificate verification', async () => {
    expect(await callIn({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, '')).toBe('tls')
  })
})

describe('the certificate authority file', () => {
  it('adds a trusted authority', async () => {
    const outbound = localOutbound({ ca: undefined, caFile: authority.file })
    expect((await outbound.request({ url: server.url })).status).toBe(200)
  })

  it('are read once for all clients with the same ones', () => {
    const contextOf = (file?: string) => createOutbound({ caFile: file }).secureContext
    expect(contextOf(authority.file)).toBe(contextOf(authority.file))
    expect(contextOf()).toBe(contextOf())
    expect(contextOf(authority.file)).not.toBe(contextOf())
  })

  it('prevents the start when it cannot be read or contains no valid certificate', async () => {
    expect(() => createOutbound({ caFile: join(folder, 'missing.pem') })).toThrow('missing.pem')
    const empty = join(folder, 'empty.pem')
    await writeFile(empty, 'no certificate here')
    expect(() => createOutbound({ caFile: empty })).toThrow(`${empty} contains no PEM certificate`)
    const broken = '-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----'
    expect(() => createOutbound({ ca: broken })).toThrow('PEM')
  })
})
