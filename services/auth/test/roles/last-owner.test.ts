import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Subject } from '@wp/service'
import { runConcurrently, startTestAuth, type TestAuth } from '../fixture/auth.ts'
import { createPeopleFixture } from '../fixture/people.ts'

let auth: TestAuth
let people: ReturnType<typeof createPeopleFixture>
beforeAll(async () => {
  // A connection each for those who ask at once.
  auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
  people = createPeopleFixture(auth)
})
afterAll(() => auth.stop())

const lastOwner = { status: 409, body: expect.objectContaining({ code: 'last_owner' }) }
type Owner = Subject & { userId: string }

async function twoOwners() {
  const { workspaceId, owner, userId } = await auth.workspace()
  return { workspaceId, a: { ...owner, userId } satisfies Owner, b: await people.member(workspaceId, 'owner') }
}

/** They all wait for the workspace, and go on together. */
const together = (workspaceId: string, asks: (() => Promise<{ status: number; body: { code?: string } }>)[]) =>
  runConcurrently(auth, { table: 'workspaces', field: 'workspace_id', value: workspaceId }, asks)

describe('the last owner', () => {
  it('can neither be demoted nor removed, nor leave, by whoever asks', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const machine = await people.machine(workspaceId)
    for (const caller of [owner, machine]) {
      expect(await people.ask(caller).change(userId, 'admin')).toMatchObject(lastOwner)
      expect(await people.ask(caller).remove(userId)).toMatchObject(lastOwner)
      expect(await people.ask(caller).remove(userId, '?revoke_keys=true')).toMatchObject(lastOwner)
    }
    expect((await people.ask(owner).change(userId, 'owner')).status).toBe(200)
    expect(await people.owners(workspaceId)).toEqual([userId])
  })

  it('is not the last one while another could still act: invited and shut out ones could not', async () => {
    const { workspaceId, a, b } = await twoOwners()
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [b.userId])
    expect(await people.ask(a).change(a.userId, 'admin')).toMatchObject(lastOwner)
    expect((await people.ask(a).remove(b.userId)).status).toBe(200)
    await people.ask(a).invite(`heir-${a.userId}@example.test`, 'owner')
    expect(await people.ask(a).remove(a.userId)).toMatchObject(lastOwner)
    const heir = await people.member(workspaceId, 'owner')
    expect((await people.ask(a).remove(a.userId)).status).toBe(200)
    expect(await people.owners(workspaceId)).toEqual([heir.userId])
  })
})

describe('two owners at once', () => {
  const deeds: Record<string, (a: Owner, b: Owner) => (() => ReturnType<TestAuth['request']>)[]> = {
    'demote each other': (a, b) => [
      () => people.ask(a).change(b.userId, 'member'),
      () => people.ask(b).change(a.userId, 'member'),
    ],
    'remove each other': (a, b) => [() => people.ask(a).remove(b.userId), () => people.ask(b).remove(a.userId)],
    'remove and demote each other': (a, b) => [
      () => people.ask(a).remove(b.userId),
      () => people.ask(b).change(a.userId, 'viewer'),
    ],
    'both leave': (a, b) => [() => people.ask(a).remove(a.userId), () => people.ask(b).remove(b.userId)],
    'step down and leave': (a, b) => [
      () => people.ask(a).change(a.userId, 'member'),
      () => people.ask(b).remove(b.userId),
    ],
  }

  it.each(Object.entries(deeds))('%s, and one stays, whoever comes first', async (_, deed) => {
    for (let round = 0; round < 5; round += 1) {
      const { workspaceId, a, b } = await twoOwners()
      const answers = await together(workspaceId, deed(a, b))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, expect.any(Number)])
      // who comes second is either the last owner's enemy, or is no owner any more
      const refusal = answers.find(({ status }) => status !== 200)
      expect(['last_owner', 'missing_scope', 'workspace_forbidden']).toContain(refusal?.body.code)
      expect(await people.owners(workspaceId)).toHaveLength(1)
    }
  })

  it('demote each other a hundred times in parallel, and there is always an owner', async () => {
    const { workspaceId, a, b } = await twoOwners()
    const seen: number[] = []
    for (let round = 0; round < 100; round += 1) {
      const [one, other] = await Promise.all([
        people.ask(a).change(b.userId, 'admin'),
        people.ask(b).change(a.userId, 'admin'),
      ])
      const owners = await people.owners(workspaceId)
      seen.push(owners.length)
      expect([one.status, other.status]).toContain(200)
      await auth.rows(`UPDATE memberships SET built_in_role = 'owner' WHERE workspace_id = $1`, [workspaceId])
    }
    expect(new Set(seen)).toEqual(new Set([1]))
  })

  it('and ten owners who all try to be rid of all others leave at least one', async () => {
    const { workspaceId, a, b } = await twoOwners()
    const more = await Promise.all(Array.from({ length: 8 }, () => people.member(workspaceId, 'owner')))
    const all = [a, b, ...more]
    const asks = all.flatMap((by, index) =>
      all.map(
        (of, at) => () =>
          (index + at) % 2 === 0 ? people.ask(by).remove(of.userId) : people.ask(by).change(of.userId, 'viewer'),
      ),
    )
    await Promise.all(asks.map((ask) => ask()))
    expect((await people.owners(workspaceId)).length).toBeGreaterThanOrEqual(1)
  })
})
