import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database } from '@wp/database'
import { createSealer } from '@wp/service'
import { createTestDatabase, type TestDatabase } from '@wp/testkit'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { SigningKeyRow } from '../../src/store/credentials/signing-keys.ts'
import { issueAccessToken } from '../../src/tokens/access-token.ts'
import { loadSigningKeys, planRotation, publishedKeysAt, signingKeyAt } from '../../src/tokens/signing-keys.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000
const base = 'http://localhost:4000'

const row = (kid: string, activeFrom: number, expiresAt: number | null = null): SigningKeyRow => ({
  kid,
  publicJwk: {},
  privateSealed: '',
  activeFrom: new Date(activeFrom),
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
})

describe('the rotation plan', () => {
  it('adds a first key that is active now', () => {
    expect(planRotation([], new Date(5), 30)).toEqual({
      addActiveFrom: new Date(5),
      expireCurrentAt: undefined,
      remove: [],
    })
  })

  it('is empty while the newest key is younger than the signing period', () => {
    const nothing = { addActiveFrom: undefined, expireCurrentAt: undefined, remove: [] }
    expect(planRotation([row('a', 0)], new Date(30 * dayMs - 1), 30)).toEqual(nothing)
    expect(planRotation([row('a', 0, 9 * hourMs), row('b', hourMs)], new Date(minuteMs), 30)).toEqual(nothing)
  })

  it('adds the next key ahead of its activation and sets the expiry of the current one', () => {
    const now = 30 * dayMs
    expect(planRotation([row('a', 0)], new Date(now), 30)).toEqual({
      addActiveFrom: new Date(now + 10 * minuteMs),
      expireCurrentAt: new Date(now + 10 * minuteMs + hourMs + 5 * minuteMs),
      remove: [],
    })
  })

  it('removes an expired key', () => {
    expect(planRotation([row('a', 0, 100), row('b', 50)], new Date(100), 30).remove).toEqual(['a'])
  })

  it('selects the latest active key for signing', () => {
    const rows = [row('next', 200), row('current', 100), row('last', 0, 300)]
    expect(signingKeyAt(rows, new Date(150))?.kid).toBe('current')
    expect(signingKeyAt(rows, new Date(200))?.kid).toBe('next')
    expect(publishedKeysAt(rows, new Date(300)).map(({ kid }) => kid)).toEqual(['next', 'current'])
  })
})

describe('stored signing keys', () => {
  let files: TestDatabase
  let database: Database
  let pool: Database['worker']
  const sealer = createSealer(randomBytes(32).toString('base64'))
  let now = Date.now()
  const open = (more: { sealer?: typeof sealer } = {}) =>
    loadSigningKeys({ pool, sealer, signingDays: 30, now: () => now, ...more })

  beforeEach(async () => {
    now = Date.now()
    files = await createTestDatabase('auth')
    database = connectDatabase({ ...files, prisma: () => undefined, shard: 'test' })
    pool = database.worker
  })
  afterEach(async () => {
    await database.close()
    await files.drop()
  })

  it('are the same for replicas that start concurrently', async () => {
    const replicas = await Promise.all(Array.from({ length: 5 }, () => open()))
    expect(new Set(replicas.map((keys) => keys.current().kid)).size).toBe(1)
    expect(replicas.map((keys) => keys.published().length)).toEqual([1, 1, 1, 1, 1])
  })

  it('are rotated ahead of time, and tokens of the previous key stay verifiable', async () => {
    const [one, other] = [await open(), await open()]
    const verifyPublicly = async (token: string) =>
      await jwtVerify(token, createLocalJWKSet({ keys: other.published() }), {
        currentDate: new Date(now),
        issuer: base,
      })
    const subject = { type: 'user', id: 'usr_x', sessionId: 'ses_x', authenticatedAt: new Date(0) } as const
    const issue = () => issueAccessToken({ publicBaseUrl: base, signingKeys: one, now: () => now }, subject)
    const first = one.current().kid
    now += 30 * dayMs
    const old = await issue()
    await Promise.all([one.refresh(), other.refresh()])
    expect([one.current().kid, one.published().length, other.published().length]).toEqual([first, 2, 2])
    now += 10 * minuteMs
    expect(one.current().kid).not.toBe(first)
    expect(other.current().kid).toBe(one.current().kid)
    const fresh = await issue()
    expect((await verifyPublicly(old)).protectedHeader.kid).toBe(first)
    expect((await verifyPublicly(fresh)).protectedHeader.kid).toBe(one.current().kid)
    now += hourMs + 5 * minuteMs
    expect(other.published().map(({ kid }) => kid)).toEqual([one.current().kid])
    await one.refresh()
    const { rows } = await pool.query('SELECT kid FROM signing_keys')
    expect(rows).toEqual([{ kid: one.current().kid }])
  })

  it('are sealed at rest and resealed when the KEK is rotated', async () => {
    const before = (await open()).current().kid
    const { rows: sealed } = await pool.query('SELECT private_sealed, public_jwk FROM signing_keys')
    expect(sealed[0].privateSealed).toMatch(/^v1\./)
    expect(sealed[0].publicJwk.d).toBeUndefined()
    const [oldKek, newKek] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    await pool.query('DELETE FROM signing_keys')
    const first = (await open({ sealer: createSealer(oldKek) })).current().kid
    expect(first).not.toBe(before)
    expect((await open({ sealer: createSealer(newKek, oldKek) })).current().kid).toBe(first)
    expect((await open({ sealer: createSealer(newKek) })).current().kid).toBe(first)
    await expect(open({ sealer: createSealer(oldKek) })).rejects.toThrow(/unknown key/)
  })
})
