import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createRetention, deleteExpired } from '@wp/jobs/background'
import { sealedMails } from '@wp/mail'
import { createRotateEncryptionPass, createSealer } from '@wp/service'
import { eventually } from '@wp/testkit'
import { expiryRules } from '../../src/store/expired-rows.ts'
import { startTestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const signIn = () => auth.signIn(auth.seeded.owner_user_id)
const count = async (text: string, values: unknown[] = []) => (await auth.rows(text, values)).length

describe('deleting expired rows', () => {
  it('deletes rows past their retention and keeps the others', async () => {
    const [over, ended, live] = [await signIn(), await signIn(), await signIn()]
    await auth.rows(`UPDATE sessions SET expires_at = now() - interval '8 days' WHERE session_id = $1`, [
      over.session.sessionId,
    ])
    await auth.rows('UPDATE sessions SET ended_at = now() WHERE session_id = $1', [ended.session.sessionId])
    const next = (await auth.token({ refresh_token: live.refreshToken })).body.data.refresh_token
    await auth.token({ refresh_token: next })
    await auth.rows(
      `UPDATE refresh_tokens SET expires_at = now() - interval '8 days' WHERE session_id = $1
       AND created_at = (SELECT min(created_at) FROM refresh_tokens WHERE session_id = $1)`,
      [live.session.sessionId],
    )
    await auth.rows(
      `INSERT INTO counters VALUES ('past', now() - interval '1 second', 5), ('now', now() + interval '1 hour', 5)`,
    )
    await auth.rows(
      `INSERT INTO revoked_tokens VALUES ('past', 'sp_x', now()), ('now', 'sp_x', now() + interval '1 hour')`,
    )
    const addCode = (hash: string, expired: string) =>
      auth.rows(
        `INSERT INTO authorization_codes (hash, workspace_id, user_id, method, client_id, client_name, redirect_uri,
           code_challenge, scopes, expires_at)
         VALUES ($1, $2, $3, 'mail', 'c', 'c', 'r', 'x', '{}', now() - $4::interval)`,
        [hash, auth.seeded.workspace_id, auth.seeded.owner_user_id, expired],
      )
    await addCode('past', '61 minutes')
    await addCode('now', '59 minutes')
    for (const rule of expiryRules) await deleteExpired(auth.context.database.worker, rule)
    expect(await auth.rows('SELECT hash FROM authorization_codes')).toEqual([{ hash: 'now' }])
    expect(await auth.rows('SELECT session_id FROM sessions ORDER BY created_at')).toEqual(
      [ended, live].map(({ session }) => ({ sessionId: session.sessionId })),
    )
    expect(await count('SELECT FROM refresh_tokens WHERE session_id = $1', [live.session.sessionId])).toBe(2)
    expect(await count('SELECT FROM refresh_tokens WHERE session_id = $1', [ended.session.sessionId])).toBe(1)
    expect(await auth.rows(`SELECT key FROM counters WHERE key IN ('past', 'now')`)).toEqual([{ key: 'now' }])
    expect(await auth.rows('SELECT token_id FROM revoked_tokens')).toEqual([{ tokenId: 'now' }])
  })

  it('continues in batches until no expired rows are left', async () => {
    await auth.rows(
      `INSERT INTO counters SELECT 'old ' || n, now() - interval '1 second', 1 FROM generate_series(1, 2500) n`,
    )
    const workers = createRetention({ ...auth.context, service: 'auth', rules: expiryRules })
    try {
      for (const worker of workers) await worker.start()
      await eventually(async () => (await count(`SELECT FROM counters WHERE key LIKE 'old %'`)) === 0)
    } finally {
      for (const worker of workers) await worker.stop()
    }
  })
})

it('a KEK rotation reseals queued mails', async () => {
  const [first, next] = [auth.context.sealer, randomBytes(32).toString('base64')]
  await auth.rows(`INSERT INTO mails (mail_id, sealed, expires_at) VALUES ('a', $1, now() + interval '1 hour')`, [
    first.seal('content', 'a'),
  ])
  const { database, log, metrics } = auth.context
  const sealer = createSealer(next, auth.service.env.KEK)
  const pass = createRotateEncryptionPass({ sealer, stores: [sealedMails(database.worker)], log, metrics })
  await pass(new AbortController().signal)
  const [mail] = await auth.rows<{ sealed: string }>(`SELECT sealed FROM mails WHERE mail_id = 'a'`)
  expect(createSealer(next).open(String(mail?.sealed), 'a')).toBe('content')
})
