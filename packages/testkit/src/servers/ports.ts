import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below every system's ephemeral ports, so that no outgoing connection takes one between the choice and the use. */
const firstPort = 15_000
const lastPort = 31_999

/** A loopback TCP port that nobody listens on just now, drawn by lot: test processes that draw at once hardly meet. */
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
