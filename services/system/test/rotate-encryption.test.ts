import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from '@jest/globals'
import { createSealer, type RunningService, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../src/index.ts'
import { inNewWorkspace, startSystem } from './fixture/system.ts'

/** Has the next key. */
let replica: RunningService | undefined
const system = await startSystem()
afterAll(async () => {
  await replica?.stop()
  await system.stop()
})

const storedRow = async (name: string) => {
  const { rows } = await system.database.worker.query<{ workspaceId: string; sealed: string; updatedAt: Date }>(
    'SELECT workspace_id, sealed, updated_at FROM workspace_variables WHERE name = $1',
    [name],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`${name} is not stored`)
  return row
}

it('secret variables are re-encrypted under the next key, so that the previous one can be removed', async () => {
  const [old, next] = [String(system.env.KEK), randomBytes(32).toString('base64')]
  const names = Array.from({ length: 250 }, (_, index) => `SECRET_${index}`)
  const mine = inNewWorkspace()
  for (const name of names) {
    const made = await system.put(
      { name, value: `value of ${name}`, secret: true },
      Number(name.slice(7)) % 2 ? mine : {},
    )
    expect(made.status).toBe(201)
  }
  const before = await storedRow('SECRET_0')
  // a value that no key decrypts must not stop the others
  await system.put({ name: 'BROKEN', value: 'x', secret: true })
  const broken = `${(await storedRow('BROKEN')).sealed.slice(0, -4)}AAAA`
  await system.database.worker.query(`UPDATE workspace_variables SET sealed = $1 WHERE name = 'BROKEN'`, [broken])

  replica = await startService(definition, { ...system.env, PORT: '0', KEK: next, KEK_PREVIOUS: old })
  const sealer = createSealer(next)
  const countStale = async () =>
    (await Promise.all(names.map(storedRow))).filter(({ sealed }) => sealer.isStale(sealed)).length
  await eventually(async () => (await countStale()) === 0)
  const metrics = async () => (await fetch(`${replica?.url}/metrics`)).text()
  await eventually(async () => /sealed_under_previous_key\{[^}]*what="variables"[^}]*\} 1\n/.test(await metrics()))

  for (const name of names) {
    const { workspaceId: workspace_id, sealed } = await storedRow(name)
    expect(sealer.open(sealed, `${workspace_id}/${name}`)).toBe(`value of ${name}`)
  }
  expect((await storedRow('BROKEN')).sealed).toBe(broken)
  // the variable itself has not changed
  expect((await storedRow('SECRET_0')).updatedAt).toEqual(before.updatedAt)
})
