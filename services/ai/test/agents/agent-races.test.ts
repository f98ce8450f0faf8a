import { afterAll, describe, expect, it } from '@jest/globals'
import { enforceQuota, newId, type Transaction } from '@wp/database'
import { enqueue, getJob } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import type { PrismaClient } from '#db'
import { getRunnableAgent } from '../../src/agents/get-runnable-agent.ts'
import { agentRunQueue, agentRunQuota } from '../../src/runs/queue.ts'
import { agentsPath, startAgentsService } from '../fixture/agents-service.ts'

const service = await startAgentsService()
afterAll(() => service.stop())

const pathOf = ({ agent_id: id }: { agent_id: string }) => `${agentsPath}/${id}`
const caller = () => ({ ...service.caller, workspaceId: service.caller.workspaceId ?? '', requestId: 'test-race' })
const transact = <T>(work: (tx: Transaction<PrismaClient>) => Promise<T>) =>
  service.context.database.transact(caller(), work)
const getRunnable = (agentId: string) => transact((tx) => getRunnableAgent(tx, caller().workspaceId, agentId))

/** Enqueues a run as its start does, for the time in which no worker claims it. */
async function enqueueRun(tx: Transaction<PrismaClient>, agentId: string): Promise<string> {
  await getRunnableAgent(tx, caller().workspaceId, agentId)
  const runAt = new Date('2100-01-01T00:00:00Z')
  return (await enqueue(tx, { id: newId('run'), queue: agentRunQueue, subject: agentId, input: {}, runAt })).id
}

/** Returns true if a transaction waits for a lock. */
async function isBlocked(): Promise<boolean> {
  const blocked = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database()`
  return ((await service.context.database.worker.query(blocked)).rowCount ?? 0) > 0
}

const waitUntilBlocked = () => eventually(isBlocked, { description: 'a transaction that waits' })

/** Holds a transaction open after its work until `release` is called. */
function holdOpen<T>(work: (tx: Transaction<PrismaClient>) => Promise<T>) {
  const [reached, released] = [Promise.withResolvers<T>(), Promise.withResolvers<void>()]
  const committed = transact(async (tx) => {
    reached.resolve(await work(tx))
    await released.promise
  })
  committed.catch(reached.reject)
  return { reached: reached.promise, committed, release: () => released.resolve() }
}

describe('a runnable agent', () => {
  it('is returned with the version that a run pins', async () => {
    const agent = await service.create(agentsPath, { instructions: 'First', status: 'draft' })
    expect(await getRunnable(agent.agent_id)).toMatchObject({ version: 1, content: { instructions: 'First' } })
    await service.patch(pathOf(agent), { instructions: 'Second' })
    expect(await getRunnable(agent.agent_id)).toMatchObject({ version: 2, content: { instructions: 'Second' } })
  })

  it('is refused when it is archived, deleted or of another workspace', async () => {
    const [archived, deleted] = [await service.create(agentsPath), await service.create(agentsPath)]
    const foreign = (await service.post(agentsPath, { name: 'Theirs' }, service.stranger)).body.data
    await service.patch(pathOf(archived), { status: 'archived' })
    await service.delete(pathOf(deleted))
    await expect(getRunnable(archived.agent_id)).rejects.toMatchObject({ code: 'agent_archived', status: 409 })
    for (const { agent_id: id } of [deleted, foreign])
      await expect(getRunnable(id)).rejects.toMatchObject({ code: 'not_found', status: 404 })
    await service.patch(pathOf(archived), { status: 'active' })
    expect(await getRunnable(archived.agent_id)).toMatchObject({ version: 1 })
  })

  it('cannot be archived while a run of it is being started, and several runs start at once', async () => {
    const agent = await service.create(agentsPath)
    const starting = holdOpen((tx) => enqueueRun(tx, agent.agent_id))
    const runId = await starting.reached
    // A second start does not wait for the first.
    await transact((tx) => enqueueRun(tx, agent.agent_id))
    const archiving = service.patch(pathOf(agent), { status: 'archived' })
    await waitUntilBlocked()
    starting.release()
    await starting.committed
    expect((await archiving).body.data).toMatchObject({ status: 'archived' })
    expect(
      await transact((tx) => getJob(tx, { id: runId, queue: agentRunQueue, workspaceId: caller().workspaceId })),
    ).toMatchObject({ state: 'queued' })
    await expect(getRunnable(agent.agent_id)).rejects.toMatchObject({ code: 'agent_archived' })
  })
})

describe('a run of a workspace without included use', () => {
  it('is refused without waiting for another that is being started', async () => {
    const agent = await service.create(agentsPath)
    const { workspaceId } = caller()
    const { worker } = service.context.database
    const period = `now() + interval '1 day'`
    await worker.query(`INSERT INTO platform.meter_limits VALUES ($1, 'agent_runs', true, ${period}, 1)`, [workspaceId])
    const starting = holdOpen((tx) => enforceQuota(tx.query, workspaceId, agentRunQuota))
    await starting.reached
    let refusal: unknown
    const body = { input: 'Hello', background: true }
    const refusing = service.post(`/v1/ai/agents/${agent.agent_id}/run`, body).then((response) => {
      refusal = response
    })
    await eventually(async () => refusal !== undefined || (await isBlocked()))
    const hasWaited = refusal === undefined
    starting.release()
    await Promise.all([starting.committed, refusing])
    await worker.query('DELETE FROM platform.meter_limits WHERE workspace_id = $1', [workspaceId])
    expect([hasWaited, refusal]).toMatchObject([false, { status: 403, body: { code: 'quota_exceeded' } }])
  })
})

describe('the deletion of an agent', () => {
  it('cancels its queued and running runs, and one that is being started, and keeps the others', async () => {
    const [agent, other] = [await service.create(agentsPath), await service.create(agentsPath)]
    const ids = await transact(async (tx) => {
      const made: string[] = []
      for (let n = 0; n < 105; n++) made.push(await enqueueRun(tx, agent.agent_id))
      return made
    })
    const kept = await transact((tx) => enqueueRun(tx, other.agent_id))
    const { worker } = service.context.database
    await worker.query(
      `UPDATE platform.jobs SET state = 'running', lease_token = gen_random_uuid()::text, lease_until = now() + interval '1 hour' WHERE id = $1`,
      [ids[0]],
    )
    await worker.query(`UPDATE platform.jobs SET state = 'finished', finished_at = now() WHERE id = $1`, [ids[1]])
    const starting = holdOpen((tx) => enqueueRun(tx, agent.agent_id))
    const late = await starting.reached
    const deleting = service.delete(pathOf(agent))
    await waitUntilBlocked()
    starting.release()
    await starting.committed
    expect((await deleting).status).toBe(200)
    const { rows } = await worker.query('SELECT id, state FROM platform.jobs WHERE id = ANY ($1)', [
      [...ids, late, kept],
    ])
    const states = new Map(rows.map(({ id, state }) => [id, state]))
    expect([states.get(ids[0]), states.get(ids[1]), states.get(late), states.get(kept)]).toEqual([
      ...['cancelled', 'finished', 'cancelled', 'queued'],
    ])
    expect([...states.values()].filter((state) => state === 'cancelled')).toHaveLength(105)
  })

  it('succeeds when a run ends at the same time', async () => {
    const agent = await service.create(agentsPath)
    const id = await transact((tx) => enqueueRun(tx, agent.agent_id))
    const ending = holdOpen((tx) =>
      tx.query(`UPDATE platform.jobs SET state = 'finished', finished_at = now() WHERE id = $1`, [id]),
    )
    await ending.reached
    const deleting = service.delete(pathOf(agent))
    await waitUntilBlocked()
    ending.release()
    await ending.committed
    expect((await deleting).status).toBe(200)
  })
})

describe('concurrent changes of an agent', () => {
  it('lose nothing and create consecutive versions', async () => {
    const agent = await service.create(agentsPath)
    const bodies = [
      { name: 'Renamed' },
      { description: 'new' },
      { instructions: 'new' },
      { model: { provider: 'default' } },
      { model: { temperature: 1 } },
      { tools: ['list_sources'] },
      { status: 'draft' },
      { metadata: { a: '1' } },
      { metadata: { b: '2' } },
    ]
    const responses = await Promise.all(bodies.map((body) => service.patch(pathOf(agent), body)))
    expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    const { data } = (await service.get(`${pathOf(agent)}/versions`)).body
    expect(data.map(({ version }: { version: number }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect((await service.get(pathOf(agent))).body.data).toMatchObject({
      name: 'Renamed',
      description: 'new',
      instructions: 'new',
      status: 'draft',
      version: 7,
      model: { provider: 'default', temperature: 1 },
      tools: ['list_sources'],
      metadata: { a: '1', b: '2' },
    })
  })
})

describe('the audit log', () => {
  it('has the changes of agents and blueprints with the changed fields', async () => {
    const agent = await service.create(agentsPath)
    await service.patch(pathOf(agent), { name: 'Renamed', status: 'draft' })
    await service.delete(pathOf(agent))
    const { rows } = await service.context.database.worker.query(
      `SELECT data ->> 'action' AS action, data -> 'changes' AS changes FROM platform.outbox
       WHERE kind = 'AUDIT_RECORDED' AND data @> $1 ORDER BY position`,
      [JSON.stringify({ targets: [{ type: 'agent', id: agent.agent_id }] })],
    )
    expect(rows).toMatchObject([
      { action: 'agent.created' },
      { action: 'agent.updated', changes: { fields: ['name', 'status'] } },
      { action: 'agent.deleted' },
    ])
  })
})
