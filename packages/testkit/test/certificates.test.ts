import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { describe, expect, it } from '@jest/globals'
import {
  createAuthority,
  createSelfSigned,
  loadOrCreateAuthority,
  type ServerCertificate,
  testAuthority,
} from '../src/index.ts'

const authority = createAuthority()

describe('a certificate authority', () => {
  it('issues certificates with its signature and the given names', () => {
    const names = ['hooks.example.com', '127.0.0.1', '::1', '2001:db8::ff00:42:8329']
    const leaf = new X509Certificate(authority.issue({ names }).certificate)
    const issuer = new X509Certificate(authority.certificate)
    expect(issuer.ca).toBe(true)
    expect(leaf.ca).toBe(false)
    expect(leaf.verify(issuer.publicKey)).toBe(true)
    expect(leaf.checkIssued(issuer)).toBe(true)
    expect(leaf.subjectAltName).toBe(
      'DNS:hooks.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:0:FF00:42:8329',
    )
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  })

  it('encodes dates before and after 2050, and many names', () => {
    const names = Array.from({ length: 500 }, (_, index) => `host-${index}.example.com`)
    const notBefore = new Date('2049-12-31T23:59:59Z')
    const notAfter = new Date('2051-02-03T04:05:06Z')
    const leaf = new X509Certificate(authority.issue({ names, notBefore, notAfter }).certificate)
    expect([leaf.validFromDate, leaf.validToDate]).toEqual([notBefore, notAfter])
    expect(leaf.subjectAltName?.split(', ')).toHaveLength(500)
  })

  it('is one per process when it is shared, and is stored in a file', () => {
    expect(testAuthority()).toBe(testAuthority())
    expect(readFileSync(testAuthority().file, 'utf8')).toBe(testAuthority().certificate)
  })

  it('is loaded from a folder if it exists, and only its owner can read its key', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wp-authority-'))
    try {
      const made = loadOrCreateAuthority(folder)
      const again = loadOrCreateAuthority(folder)
      expect(again.certificate).toBe(made.certificate)
      const leaf = new X509Certificate(again.issue({ names: ['localhost'] }).certificate)
      const issuer = new X509Certificate(readFileSync(made.file))
      expect(leaf.verify(issuer.publicKey) && leaf.checkIssued(issuer)).toBe(true)
      expect(issuer.validToDate.getTime()).toBeGreaterThan(Date.now() + 9 * 365 * 86_400_000)
      expect(statSync(join(folder, 'ca.key')).mode & 0o077).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('a client that trusts the authority', () => {
  it.each([
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['elsewhere.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('connects with the host name %s: error %s', async (host, code) => {
    expect(await handshake(authority.issue({ names: ['localhost', '127.0.0.1'] }), host)).toBe(code)
  })

  it('rejects an expired certificate, a self-signed one, and one of another authority', async () => {
    const names = ['localhost']
    const notAfter = new Date(Date.now() - 60_000)
    expect(await handshake(authority.issue({ names, notAfter }), 'localhost')).toBe('CERT_HAS_EXPIRED')
    expect(await handshake(createSelfSigned({ names }), 'localhost')).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    const stranger = createAuthority('Another authority').issue({ names })
    expect(await handshake(stranger, 'localhost')).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  })
})

/** Returns the error code of a TLS client that trusts `authority`; undefined if it accepts the certificate. */
async function handshake({ certificate, key }: ServerCertificate, host: string): Promise<string | undefined> {
  const server = createServer({ cert: certificate, key })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const socket = connect({
    host: '127.0.0.1',
    port,
    ...(/[a-z]/.test(host) && { servername: host }),
    ca: authority.certificate,
  })
  try {
    return await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve(undefined))
      socket.once('error', (error: Error & { code?: string }) => resolve(error.code))
    })
  } finally {
    socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}
