import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports of all systems, so that no outgoing connection uses a port that was found free. */
const firstPort = 15_000
const lastPort = 31_999

/** Returns a free TCP port on loopback, chosen at random so that concurrent test processes rarely choose the same. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no port between ${firstPort} and ${lastPort} is free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** @throws Error naming the port if it is in use */
export function requireFreePort(port: number, wantedBy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) => {
      reject(new Error(`${wantedBy} cannot listen on 127.0.0.1:${port}: ${cause.message}`, { cause }))
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()))
  })
}
