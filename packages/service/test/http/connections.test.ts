import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createLogger } from '../../src/index.ts'
import { type BoxService, startBoxes } from '../fixture.ts'

interface Line {
  level: number
  msg: string
}

const lines: Line[] = []
let boxes: BoxService
beforeAll(async () => {
  const log = createLogger('data', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  boxes = await startBoxes({ log })
})
afterAll(() => boxes.stop())

function connectClient(): { socket: Socket; received: () => string } {
  const { hostname, port } = new URL(boxes.running.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  return { socket, received: () => received }
}

describe('an error response', () => {
  it('keeps the connection open for the next request', async () => {
    const { socket, received } = connectClient()
    const getRequest = 'GET /v1/data/nothing HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(getRequest + getRequest)
    await eventually(() => received().match(/HTTP\/1\.1 404 /g)?.length === 2)
    socket.write('POST /v1/data/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n')
    await eventually(() => received().match(/HTTP\/1\.1 404 /g)?.length === 3)
    socket.write(`{}${getRequest}`)
    await eventually(() => received().match(/HTTP\/1\.1 404 /g)?.length === 4)
    expect(received()).toMatch(/^Keep-Alive: timeout=600\r$/m)
    socket.destroy()
  })

  it.each(['close', 'keep-alive'])(
    'is received by a client that is still sending its body, when the connection header is %s',
    async (connection) => {
      const { socket, received } = connectClient()
      const socketErrors: Error[] = []
      socket.on('error', (error) => socketErrors.push(error))
      const head = ['POST /v1/data/boxes HTTP/1.1', 'Host: x', `Connection: ${connection}`, 'Content-Length: 8388608']
      socket.write([...head, `x-workspace-scope: ${await boxes.sign()}`, '', ''].join('\r\n'))
      const responded = eventually(() => received().endsWith('}'))
      const closed = new Promise((resolve) => socket.once('close', resolve))
      for (let sent = 0; sent < 8 && !socket.destroyed; sent += 1)
        if (!socket.write(Buffer.alloc(1_048_576, ' ')))
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
      await responded
      expect(received()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"/)
      expect(socketErrors).toEqual([])
      socket.destroy()
    },
  )

  it('closes the connection when the rest of the body is not sent', async () => {
    const { socket, received } = connectClient()
    socket.write('POST /v1/data/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nsome')
    await once(socket, 'close')
    expect(received()).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/)
  })
})

describe('a client that disconnects', () => {
  it('is logged as info and counted as 499 when it disconnects in the middle of its body', async () => {
    const before = lines.length
    const assertion = await boxes.sign()
    const { socket } = connectClient()
    const head = `POST /v1/data/boxes HTTP/1.1\r\nHost: x\r\nx-workspace-scope: ${assertion}\r\nContent-Length: 100\r\n\r\n`
    await new Promise((resolve) => socket.write(`${head}{"name"`, resolve))
    socket.destroy()
    await eventually(() => lines.length > before)
    expect(lines.slice(before)).toEqual([expect.objectContaining({ level: 30, event: 'request.aborted_by_client' })])
    const metrics = await (await fetch(`${boxes.running.url}/metrics`)).text()
    expect(metrics).toMatch(/http_request_seconds_count\{service="data",endpoint="data.create",status="499"\} 1/)
  })

  it('is not logged as an error when it disconnects after its body was received, but not read', async () => {
    const before = lines.length
    for (let count = 0; count < 20; count += 1) {
      // verifying a new assertion gives the client time to disconnect
      const assertion = await boxes.sign({ credentialId: `sp_${count}` })
      const { socket } = connectClient()
      const head = `POST /v1/data/boxes HTTP/1.1\r\nHost: x\r\nx-workspace-scope: ${assertion}\r\nContent-Type: application/json\r\n`
      await new Promise((resolve) => socket.write(`${head}Content-Length: 12\r\n\r\n{"name":"a"}`, resolve))
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    await boxes.request('GET', '/v1/data/boxes')
    expect(lines.slice(before).filter(({ level }) => level > 30)).toEqual([])
  })
})

describe('headers', () => {
  it('may be longer than the limit of the edge, which adds headers', async () => {
    const response = await boxes.request('GET', '/v1/data/boxes', { headers: { 'x-long': 'x'.repeat(17_000) } })
    expect(response.status).toBe(200)
  })
})
