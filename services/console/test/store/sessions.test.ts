import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deleteExpired } from '@wp/jobs/background'
import { noMetrics } from '@wp/runtime'
import { createLogger, createRotateEncryptionPass, createSealer } from '@wp/service'
import { createTestDatabase, openWorkerPool, type TestDatabase } from '@wp/testkit'
import type { Pool } from 'pg'
import { sealedSessions, tokenAssociatedData } from '../../src/store/sealed-sessions.ts'
import { retentionRules } from '../../src/store/sessions.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase('console')
  pool = openWorkerPool(database.workerUrl)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const newKey = () => randomBytes(32).toString('base64')

async function insertSession(sealed: { access: string; refresh: string }, id = randomUUID(), expiresIn = '1 day') {
  await pool.query(
    `INSERT INTO sessions (session_id, cookie_hash, user_id, sealed_access_token, sealed_refresh_token,
       access_expires_at, authenticated_at, created_at, expires_at)
     VALUES ($1, $5, 'usr_1', $2, $3, now(), now(), now(), now() + $4::interval)`,
    [id, sealed.access, sealed.refresh, expiresIn, id],
  )
}

describe('the sealed tokens of sessions', () => {
  it('are sealed under the current key when the previous one is replaced', async () => {
    const [older, newer] = [newKey(), newKey()]
    const id = randomUUID()
    const previous = createSealer(older)
    const seal = (kind: 'access' | 'refresh') => previous.seal(kind, tokenAssociatedData(id, kind))
    await insertSession({ access: seal('access'), refresh: seal('refresh') }, id)
    const stores = [sealedSessions(pool)]
    const rotate = createRotateEncryptionPass({
      sealer: createSealer(newer, older),
      stores,
      log: createLogger('console', 'silent'),
      metrics: noMetrics,
    })
    await rotate(new AbortController().signal)
    const { rows } = await pool.query('SELECT * FROM sessions WHERE session_id = $1', [id])
    const current = createSealer(newer)
    for (const kind of ['access', 'refresh'] as const)
      expect(
        current.open(
          rows[0][kind === 'access' ? 'sealedAccessToken' : 'sealedRefreshToken'],
          tokenAssociatedData(id, kind),
        ),
      ).toBe(kind)
    expect(await stores[0]?.countSealedWith(`${previous.seal('', '').split('.', 2).join('.')}.`)).toBe(0)
  })
})

describe('retention', () => {
  it('deletes expired sessions and sign-ins, and no others', async () => {
    await pool.query('DELETE FROM sessions')
    const sealed = { access: 'a', refresh: 'r' }
    const live = randomUUID()
    await insertSession(sealed, randomUUID(), '-1 second')
    await insertSession(sealed, live)
    await pool.query(`INSERT INTO pending_sign_ins (cookie_hash, expires_at)
      VALUES ('expired', now() - interval '1 second'), ('live', now() + interval '1 minute')`)
    for (const rule of retentionRules) expect(await deleteExpired(pool, rule)).toBe(1)
    expect((await pool.query('SELECT session_id FROM sessions')).rows).toEqual([{ sessionId: live }])
    expect((await pool.query('SELECT cookie_hash FROM pending_sign_ins')).rows).toEqual([{ cookieHash: 'live' }])
  })
})
