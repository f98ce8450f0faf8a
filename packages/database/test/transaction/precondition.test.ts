import { afterAll, describe, expect, it } from '@jest/globals'
import { IdempotentReplay, problem, type RequestCaller } from '@wp/contracts'
import { newId } from '../../src/index.ts'
import { caller, createFixtureDatabase, createProject } from '../fixture/database.ts'

const fixture = await createFixtureDatabase({ poolSize: 3 })
afterAll(() => fixture.drop())

const nameOf = async (workspaceId: string, id: string) =>
  await fixture.database.read({ workspaceId }, async (db) => (await db.project.findFirst({ where: { id } }))?.name)

/** A request that renames a project, with the current name as precondition. */
function renaming(workspaceId: string, id: string, expected: string, key?: string): RequestCaller {
  const check = async () => {
    if ((await nameOf(workspaceId, id)) !== expected) throw problem('precondition_failed')
  }
  const request = { endpointId: 'fixture.rename', resource: id, precondition: { ifMatch: expected, check } }
  const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint: 'f' } }
  const principal = { id: 'sp_1', type: 'service_principal' as const }
  return { ...caller({ workspaceId }), principal, request: { ...request, ...idempotency } }
}

const rename = async (requester: RequestCaller, id: string, name: string) =>
  await fixture.database.transact(requester, async ({ db }) => {
    await db.project.update({ where: { id }, data: { name } })
    return { id, name }
  })

async function project() {
  const workspaceId = newId('ws')
  return { workspaceId, ...(await createProject(fixture, workspaceId, 'Harbour')) }
}

describe('a precondition', () => {
  it('is checked inside the transaction and rejects the change when it is not met', async () => {
    const { workspaceId, id } = await project()
    await expect(rename(renaming(workspaceId, id, 'Other'), id, 'New')).rejects.toMatchObject({ status: 412 })
    expect(await nameOf(workspaceId, id)).toBe('Harbour')
    expect(await rename(renaming(workspaceId, id, 'Harbour'), id, 'New')).toEqual({ id, name: 'New' })
  })

  it('accepts one of thirty concurrent changes with the same precondition', async () => {
    const { workspaceId, id } = await project()
    const names = Array.from({ length: 30 }, (_, index) => `Name ${index}`)
    const results = await Promise.allSettled(
      names.map((name) => rename(renaming(workspaceId, id, 'Harbour'), id, name)),
    )
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.name] : []))
    expect(done).toEqual([await nameOf(workspaceId, id)])
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'precondition_failed' })
  })

  it('delays an unconditional change until a conditional one has committed', async () => {
    const { workspaceId, id } = await project()
    const compared = Promise.withResolvers<void>()
    const requester = renaming(workspaceId, id, 'Harbour')
    const check = async () => {
      await requester.request?.precondition?.check()
      compared.resolve()
    }
    const slow = {
      ...requester,
      request: { endpointId: 'fixture.rename', resource: id, precondition: { ifMatch: '', check } },
    }
    const changed = rename(slow, id, 'First')
    await compared.promise
    const { precondition: _, ...plain } = slow.request
    await Promise.all([changed, rename({ ...caller({ workspaceId }), request: plain }, id, 'Second')])
    expect(await nameOf(workspaceId, id)).toBe('Second')
  })

  it('is not checked when the request is a replay, whose own change would violate it', async () => {
    const { workspaceId, id } = await project()
    const again = () => rename(renaming(workspaceId, id, 'Harbour', 'once'), id, 'New')
    const first = await again()
    const replay = await again().catch((error: unknown) => error)
    expect(replay).toBeInstanceOf(IdempotentReplay)
    expect(replay).toMatchObject({ result: first })
  })

  it('does not wait for the resource when the idempotency key is in flight', async () => {
    const { workspaceId, id } = await project()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const requester = () => renaming(workspaceId, id, 'Harbour', 'waiting')
    const first = fixture.database.transact(requester(), async () => {
      begun.resolve()
      await answered
      return {}
    })
    await begun.promise
    await expect(rename(requester(), id, 'New').finally(answer)).rejects.toMatchObject({
      code: 'idempotency_in_flight',
    })
    await first
  })

  it('allows nested reads during the check only', async () => {
    const { workspaceId, id } = await project()
    const inside = fixture.database.transact(renaming(workspaceId, id, 'Harbour'), () => nameOf(workspaceId, id))
    await expect(inside).rejects.toThrow('inside a read() or transact()')
  })

  it('may read another workspace; the work then runs in the caller’s workspace', async () => {
    const { workspaceId, id } = await project()
    const elsewhere = await project()
    const check = async () => void expect(await nameOf(elsewhere.workspaceId, elsewhere.id)).toBe('Harbour')
    const request = { endpointId: 'fixture.rename', resource: id, precondition: { ifMatch: '', check } }
    await rename({ ...caller({ workspaceId }), request }, id, 'New')
    expect(await nameOf(workspaceId, id)).toBe('New')
  })
})
