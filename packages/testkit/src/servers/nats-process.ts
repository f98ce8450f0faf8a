import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { renderNatsConfiguration } from './nats-configuration.ts'
import { findFreePort, requireFreePort } from './process/ports.ts'
import { createScratchFolder, removeScratch, sweepScratch } from './process/scratch.ts'
import { startServerProcess, stopOrphan } from './process/server-process.ts'

export type NatsProcessOptions = {
  storeDir?: string
  port?: number
  persistent?: boolean
  maxStoreBytes?: number
  configuration?: string
}

export type NatsProcess = {
  port: number
  storeDir: string
  version: string
  pid(): number
  kill(signal: NodeJS.Signals): Promise<void>
  restart(wipe: boolean): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a nats-server with JetStream. Its home folder contains `data/`, `nats.conf`, `server.log` and `server.pid`.
 */
export async function startNatsProcess(binary: string, options: NatsProcessOptions): Promise<NatsProcess> {
  const persistent = options.persistent ?? false
  const home = options.storeDir ?? createScratchHome()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  await stopOrphan(home)
  if (options.port !== undefined) await requireFreePort(options.port, 'NATS')
  const port = options.port ?? (await findFreePort())
  const data = join(home, 'data')
  const config = join(home, 'nats.conf')
  const basic = renderNatsConfiguration({
    listen: `127.0.0.1:${port}`,
    storeDir: data,
    maxStoreBytes: options.maxStoreBytes,
  })
  writeFileSync(config, `${basic}${options.configuration ?? ''}`)

  let version = ''
  const start = async () => {
    const server = await startServerProcess(
      home,
      { file: binary, args: ['-c', config] },
      persistent ? 'SIGTERM' : 'SIGKILL',
    )
    await server.waitUntilReady(async () => {
      version = await readServerVersion(port)
      return true
    })
    return server
  }
  let server = await start()
  return {
    port,
    storeDir: home,
    version,
    pid: () => server.pid,
    kill: (signal) => server.terminate(signal),
    async restart(wipe) {
      await server.terminate('SIGTERM')
      if (wipe) rmSync(data, { recursive: true, force: true })
      server = await start()
    },
    async stop() {
      await server.terminate(persistent ? 'SIGTERM' : 'SIGKILL')
      if (options.storeDir === undefined) removeScratch(home)
    },
  }
}

function createScratchHome(): string {
  sweepScratch()
  return createScratchFolder('nats')
}

/** Reads the version from the `INFO` message of a new connection. JetStream is ready before the server listens. */
function readServerVersion(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', reject)
    socket.setTimeout(1_000, () => socket.destroy(new Error('no INFO message')))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (!text.includes('\r\n')) return
      socket.destroy()
      resolve(/"version":"([^"]+)"/.exec(text)?.[1] ?? 'unknown')
    })
  })
}
