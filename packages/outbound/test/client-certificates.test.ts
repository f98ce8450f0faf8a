import type { TLSSocket } from 'node:tls'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createAuthority } from '@wp/testkit'
import { authority, closeServers, failureOf, httpsServer, identityFor, localOutbound } from './servers.ts'

afterAll(closeServers)

const clients = createAuthority('Client authority')
const issue = (name: string) => {
  const { certificate, key } = clients.issue({ names: [name] })
  return { certificate, privateKey: key }
}

/** Starts a server that requires a certificate of `clients` and answers with the name in it. */
function startServer() {
  const as = { ...identityFor(['hooks.test']), requestCert: true, rejectUnauthorized: true, ca: clients.certificate }
  return httpsServer(
    (request, response) => {
      const socket = request.socket as TLSSocket // of an HTTPS server
      response.end(socket.getPeerCertificate().subject.CN)
    },
    { as },
  )
}

describe('a client certificate', () => {
  it('authenticates the request', async () => {
    const { url } = await startServer()
    const outbound = localOutbound()
    const response = await outbound.request({ url, clientCertificate: issue('one') })
    expect([response.status, response.body.toString()]).toEqual([200, 'one'])
  })

  it('is not used by requests with another one or none', async () => {
    const { url, sockets } = await startServer()
    const outbound = localOutbound()
    const [one, two] = [issue('one'), issue('two')]
    for (const [clientCertificate, name] of [
      [one, 'one'],
      [two, 'two'],
      [{ ...one }, 'one'],
    ] as const)
      expect((await outbound.request({ url, clientCertificate })).body.toString()).toBe(name)
    expect(sockets).toHaveLength(2)
    expect(['tls', 'reset']).toContain((await failureOf(outbound.request({ url }))).kind)
  })

  it('of an authority that the server does not trust is rejected', async () => {
    const { url } = await startServer()
    const { certificate, key } = authority.issue({ names: ['other'] })
    const failure = await failureOf(
      localOutbound().request({ url, clientCertificate: { certificate, privateKey: key } }),
    )
    expect(['tls', 'reset']).toContain(failure.kind)
  })

  it('that does not match its key is an invalid request', async () => {
    const { url } = await startServer()
    const clientCertificate = { ...issue('one'), privateKey: issue('two').privateKey }
    expect(await failureOf(localOutbound().request({ url, clientCertificate }))).toMatchObject({
      kind: 'invalid_request',
      message: 'the client certificate cannot be used',
    })
  })
})
