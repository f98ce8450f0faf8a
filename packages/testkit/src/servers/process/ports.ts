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
export const findFreePort = (): Promise<number> => findFreePorts(1)

/**
 * Returns the first of `count` consecutive free TCP ports on loopback, none of which another call on this machine
 * returns while this process runs.
 */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const first = randomInt(firstPort, lastPort + 2 - count)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if (reserveAll(ports) && (await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`no ${count} consecutive ports between ${firstPort} and ${lastPort} are free`)
}

const reserved = new Set<string>()
let isPrepared = false

/** Reserves all of these ports, or none if one of them is reserved. */
function reserveAll(ports: readonly number[]): boolean {
  const failed = ports.findIndex((port) => !reserve(port))
  for (const port of ports.slice(0, Math.max(0, failed))) release(join(reservations, `${port}`))
  return failed === -1
}

function reserve(port: number): boolean {
  if (!isPrepared) {
    mkdirSync(reservations, { recursive: true })
    process.once('exit', releaseAll)
    isPrepared = true
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

function release(file: string): void {
  rmSync(file, { force: true })
  reserved.delete(file)
}

function releaseAll(): void {
  for (const file of reserved) release(file)
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
