import { afterAll, describe, expect, it } from '@jest/globals'
import type { Subject } from '@wp/service'
import { runConcurrently, startTestAuth, type TestAuth } from '../fixture/auth.ts'
import { createPeopleFixture } from '../fixture/people.ts'

// One connection for each concurrent request.
const auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const lastOwner = { status: 409, body: expect.objectContaining({ code: 'last_owner' }) }
type Owner = Subject & { userId: string }

async function twoOwners() {
  const { workspaceId, owner, userId } = await auth.workspace()
  return { workspaceId, a: { ...owner, userId } satisfies Owner, b: await people.member(workspaceId, 'owner') }
}

/** Runs the requests concurrently: all wait for the lock of the workspace, then continue together. */
const together = (workspaceId: string, requests: (() => Promise<{ status: number; body: { code?: string } }>)[]) =>
  runConcurrently(auth, { table: 'workspaces', field: 'workspace_id', value: workspaceId }, requests)

describe('the last owner of a workspace', () => {
  it('cannot be demoted or removed by any caller', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const machine = await people.machine(workspaceId)
    for (const caller of [owner, machine]) {
      expect(await people.as(caller).change(userId, 'admin')).toMatchObject(lastOwner)
      expect(await people.as(caller).remove(userId)).toMatchObject(lastOwner)
      expect(await people.as(caller).remove(userId, '?revoke_keys=true')).toMatchObject(lastOwner)
    }
    expect((await people.as(owner).change(userId, 'owner')).status).toBe(200)
    expect(await people.owners(workspaceId)).toEqual([userId])
  })

  it('can leave when another active owner exists; invited and disabled owners do not count', async () => {
    const { workspaceId, a, b } = await twoOwners()
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [b.userId])
    expect(await people.as(a).change(a.userId, 'admin')).toMatchObject(lastOwner)
    expect((await people.as(a).remove(b.userId)).status).toBe(200)
    await people.as(a).invite(`heir-${a.userId}@example.test`, 'owner')
    expect(await people.as(a).remove(a.userId)).toMatchObject(lastOwner)
    const heir = await people.member(workspaceId, 'owner')
    expect((await people.as(a).remove(a.userId)).status).toBe(200)
    expect(await people.owners(workspaceId)).toEqual([heir.userId])
  })
})

describe('concurrent changes of owners', () => {
  const scenarios: Record<string, (a: Owner, b: Owner) => (() => ReturnType<TestAuth['request']>)[]> = {
    'demote each other': (a, b) => [
      () => people.as(a).change(b.userId, 'member'),
      () => people.as(b).change(a.userId, 'member'),
    ],
    'remove each other': (a, b) => [() => people.as(a).remove(b.userId), () => people.as(b).remove(a.userId)],
    'remove and demote each other': (a, b) => [
      () => people.as(a).remove(b.userId),
      () => people.as(b).change(a.userId, 'viewer'),
    ],
    'both leave': (a, b) => [() => people.as(a).remove(a.userId), () => people.as(b).remove(b.userId)],
    'step down and leave': (a, b) => [
      () => people.as(a).change(a.userId, 'member'),
      () => people.as(b).remove(b.userId),
    ],
  }

  it.each(Object.entries(scenarios))('keep one owner when two owners %s', async (_, scenario) => {
    for (let round = 0; round < 5; round += 1) {
      const { workspaceId, a, b } = await twoOwners()
      const responses = await together(workspaceId, scenario(a, b))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, expect.any(Number)])
      // The second request either affects the last owner or comes from a user who is no longer an owner.
      const refusal = responses.find(({ status }) => status !== 200)
      expect(['last_owner', 'missing_scope', 'workspace_forbidden']).toContain(refusal?.body.code)
      expect(await people.owners(workspaceId)).toHaveLength(1)
    }
  })

  it('keep one owner when two owners demote each other 100 times', async () => {
    const { workspaceId, a, b } = await twoOwners()
    const seen: number[] = []
    for (let round = 0; round < 100; round += 1) {
      const [one, other] = await Promise.all([
        people.as(a).change(b.userId, 'admin'),
        people.as(b).change(a.userId, 'admin'),
      ])
      const owners = await people.owners(workspaceId)
      seen.push(owners.length)
      expect([one.status, other.status]).toContain(200)
      await auth.rows(`UPDATE memberships SET built_in_role = 'owner' WHERE workspace_id = $1`, [workspaceId])
    }
    expect(new Set(seen)).toEqual(new Set([1]))
  })

  it('keep at least one owner when ten owners remove and demote all others', async () => {
    const { workspaceId, a, b } = await twoOwners()
    const more = await Promise.all(Array.from({ length: 8 }, () => people.member(workspaceId, 'owner')))
    const all = [a, b, ...more]
    const requests = all.flatMap((by, index) =>
      all.map(
        (of, at) => () =>
          (index + at) % 2 === 0 ? people.as(by).remove(of.userId) : people.as(by).change(of.userId, 'viewer'),
      ),
    )
    await Promise.all(requests.map((ask) => ask()))
    expect((await people.owners(workspaceId)).length).toBeGreaterThanOrEqual(1)
  })
})
