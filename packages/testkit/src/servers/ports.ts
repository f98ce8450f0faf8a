import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readProcessInfo } from './process-info.ts'

/** Below the ephemeral ports of all systems, so that no outgoing connection uses a port that was found free. */
const firstPort = 15_000
const lastPort = 31_999

/** One file for each port that a process of this machine has found, so that no other chooses it before it is in use. */
const reservations = join(tmpdir(), `wp-testkit-ports-${process.getuid?.() ?? ''}`)

/** Returns a free TCP port on loopback, which no other call on this machine returns while this process runs. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1)
    if (reserve(port) && (await isFree(port))) return port
  }
  throw new Error(`no port between ${firstPort} and ${lastPort} is free`)
}

const reserved = new Set<string>()

function reserve(port: number): boolean {
  if (reserved.size === 0) {
    mkdirSync(reservations, { recursive: true })
    process.once('exit', releaseAll)
  }
  const file = join(reservations, `${port}`)
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' })
  } catch {
    removeStale(file)
    return false
  }
  reserved.add(file)
  return true
}

function releaseAll(): void {
  for (const file of reserved) rmSync(file, { force: true })
}

/** Removes the reservation of a process that was killed, for the next call. */
function removeStale(file: string): void {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner > 0 && !readProcessInfo(owner)) rmSync(file, { force: true })
  } catch {
    // It has just been removed.
  }
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
