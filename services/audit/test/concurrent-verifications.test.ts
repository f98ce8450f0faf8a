import { rm } from 'node:fs/promises'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database } from '@wp/database'
import { keyFilePaths, openDocumentSigner } from '@wp/service'
import { createTemporaryKeys, createTestDatabase } from '@wp/testkit'
import { createVerifications, type Verifications, verificationLimits } from '../src/verifications.ts'

const server = await createTestDatabase('audit')
const { url, workerUrl } = server
const database = connectDatabase({ url, workerUrl, prisma: () => ({}), shard: 'test', log: { warn() {}, error() {} } })
const keysDirectory = await createTemporaryKeys()
const signer = await openDocumentSigner(keyFilePaths(keysDirectory).auditSigningKeyFile)
afterAll(async () => {
  await database.close()
  await server.drop()
  await rm(keysDirectory, { recursive: true, force: true })
})

let verifications: Verifications
/** Lets the reads of the workspace `ws_slow` go on. */
let release: () => void
let reads: string[]
beforeEach(() => {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  release = resolve
  reads = []
  const read: Database['read'] = async (scope, work) => {
    reads.push(scope.workspaceId ?? '')
    if (scope.workspaceId === 'ws_slow') await released
    return database.read(scope, work)
  }
  verifications = createVerifications({ read }, signer, { ...verificationLimits, concurrency: 2, maxWaitMs: 50 })
})

describe('verifications of one workspace', () => {
  it('run one at a time; one that waits too long is rejected, and those of others are not delayed', async () => {
    const first = verifications.verify('ws_slow', {})
    const further = [1, 2, 3].map((to) => verifications.verify('ws_slow', { to }))
    const results = Promise.allSettled(further)
    expect(await verifications.verify('ws_other', {})).toMatchObject({ status: 'ok', checked: 0 })
    expect(reads.filter((workspace) => workspace === 'ws_slow')).toHaveLength(1)
    for (const result of await results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'rate_limited' } })
    release()
    expect(await first).toMatchObject({ status: 'ok' })
    expect(await verifications.verify('ws_slow', { to: 1 })).toMatchObject({ status: 'ok' })
  })

  it('are shared when they are of the same part', async () => {
    await verifications.verify('ws_other', {})
    const readsOfOne = reads.length
    const both = [verifications.verify('ws_slow', {}), verifications.verify('ws_slow', {})]
    release()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect(reads).toHaveLength(2 * readsOfOne)
  })
})
