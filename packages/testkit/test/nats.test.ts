import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type Nats, startNats, testNats } from '../src/index.ts'

describe('the NATS server of the test run', () => {
  it('has JetStream, accepts 1 MB, and has a unique shard for each call', async () => {
    const { url, shard } = testNats()
    expect(shard).toMatch(/^[a-z0-9]{1,16}$/)
    expect(testNats().shard).not.toBe(shard)
    const connection = await connect({ servers: url })
    expect(connection.info).toMatchObject({ jetstream: true, max_payload: 1024 ** 2 })
    await connection.close()
  })
})

describe('a NATS process', () => {
  let nats: Nats
  afterEach(() => nats.stop())

  it('keeps its streams after a crash, and loses them when it is wiped', async () => {
    nats = await startNats()
    await addStream(nats.url)
    const { pid } = nats
    await nats.kill()
    await expect(streamNames(nats.url)).rejects.toThrow()
    await nats.restart()
    expect(nats.pid).not.toBe(pid)
    expect(await streamNames(nats.url)).toEqual(['KEPT'])
    await nats.restart({ wipe: true })
    expect(await streamNames(nats.url)).toEqual([])
  })

  it('rejects a stream that exceeds the storage limit', async () => {
    nats = await startNats({ maxStoreBytes: 1024 ** 2 })
    await expect(addStream(nats.url, 2 * 1024 ** 2)).rejects.toThrow(/insufficient storage/)
  })
})

describe('a persistent NATS', () => {
  it('keeps its streams between runs, and locks its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wp-nats-test-'))
    const options = { storeDir: folder, persistent: true }
    const first = await startNats(options)
    await addStream(first.url)
    await expect(startNats(options)).rejects.toThrow(`is in use by process ${process.pid}`)
    await first.stop()
    const second = await startNats(options)
    expect(await streamNames(second.url)).toEqual(['KEPT'])
    await second.stop()
    rmSync(folder, { recursive: true })
  })
})

async function addStream(url: string, bytes = 1024): Promise<void> {
  const connection = await connect({ servers: url, reconnect: false })
  try {
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: 'KEPT', subjects: ['kept'], max_bytes: bytes })
  } finally {
    await connection.close()
  }
}

async function streamNames(url: string): Promise<string[]> {
  const connection = await connect({ servers: url, reconnect: false })
  try {
    const names: string[] = []
    for await (const name of (await jetstreamManager(connection)).streams.names()) names.push(name)
    return names
  } finally {
    await connection.close()
  }
}
