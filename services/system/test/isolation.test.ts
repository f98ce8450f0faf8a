import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { inNewWorkspace, startSystem } from './fixture/system.ts'

const system = await startSystem()
afterAll(() => system.stop())

describe('a variable of another workspace', () => {
  it('is not found, listed or deleted, and does not reserve its name', async () => {
    await system.put({ name: 'MINE', value: 'mine' })
    const stranger = inNewWorkspace()
    expect(await system.get('MINE', stranger)).toMatchObject(problemResponse(404, 'not_found'))
    expect(await system.remove('MINE', stranger)).toMatchObject(problemResponse(404, 'not_found'))
    expect((await system.list('', stranger)).body.data).toEqual([])
    expect(await system.put({ name: 'MINE', value: 'theirs' }, stranger)).toMatchObject({ status: 201 })
    expect((await system.get('MINE')).body.data.value).toBe('mine')
  })

  it('cannot be read without the filter of the store', async () => {
    await system.put({ name: 'WALLED', value: 'mine' })
    const seen = (workspaceId: string | null) =>
      system.database.read({ workspaceId }, async (db, query) => [
        (await db.variable.findMany()).map(({ name }) => name).includes('WALLED'),
        (await query(`SELECT 1 FROM workspace_variables WHERE name = 'WALLED'`)).length,
      ])
    expect(await seen(system.caller.workspaceId)).toEqual([true, 1])
    expect(await seen(inNewWorkspace().workspaceId)).toEqual([false, 0])
    expect(await seen(null)).toEqual([false, 0])
  })

  it('cannot be written without the filter of the store', async () => {
    await system.put({ name: 'GUARDED', value: 'mine' })
    const stranger = { ...system.caller, ...inNewWorkspace(), requestId: 'req-isolation' }
    const forged = { workspaceId: system.caller.workspaceId ?? '', name: 'FORGED', value: 'x', secret: false }
    await expect(system.database.transact(stranger, ({ db }) => db.variable.create({ data: forged }))).rejects.toThrow(
      'row-level security',
    )
    const changed = await system.database.transact(stranger, async ({ db }) => [
      await db.variable.updateMany({ where: { name: 'GUARDED' }, data: { value: 'theirs' } }),
      await db.variable.deleteMany({ where: { name: 'GUARDED' } }),
    ])
    expect(changed).toEqual([{ count: 0 }, { count: 0 }])
    expect((await system.get('GUARDED')).body.data.value).toBe('mine')
  })
})
