import { expect, it } from '@jest/globals'
import type { Client } from '@wp/client'
import { SessionTokens } from '@wp/contracts'
import type { Database } from '@wp/database'
import { createSealer } from '@wp/service'
import { createSessionRow } from '../../src/session/session-tokens.ts'
import { createTokenSource } from '../../src/session/token-source.ts'
import { tokens } from '../fixture/fake-edge.ts'

it('concurrent requests of a session share one refresh', async () => {
  const config = { SESSION_IDLE_DAYS: 30, SESSION_MAX_DAYS: 90, SHARD: 'test', LOCATION: 'TST' }
  const sealer = createSealer(Buffer.alloc(32, 1).toString('base64'))
  const now = Date.now
  const row = createSessionRow({ sealer, config, now }, SessionTokens.parse(tokens(1, 0)), 'cookie')
  let exchanges = 0
  const client = {
    auth: {
      async exchangeToken() {
        exchanges += 1
        return { success: true, data: tokens(2) }
      },
    },
  } as unknown as Client // the source uses no other endpoint
  const database = { read: async () => row, transact: async () => true } as unknown as Database // every statement succeeds
  const source = createTokenSource({ config, database, sealer, platform: { refreshClient: () => client }, now })
  const used = await Promise.all(Array.from({ length: 20 }, () => source.current(row, {})))
  expect([new Set(used), exchanges]).toEqual([new Set(['access-2']), 1])
})
