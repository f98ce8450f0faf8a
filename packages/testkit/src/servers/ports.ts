import { createServer } from 'node:net'

/** A loopback TCP port that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('the system gave no port'))
      })
    })
  })
}

/** @throws Error naming the port when somebody already listens on it. */
export function requireFreePort(port: number, wantedBy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) => {
      reject(new Error(`${wantedBy} can't listen on 127.0.0.1:${port}: ${cause.message}`, { cause }))
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()))
  })
}
