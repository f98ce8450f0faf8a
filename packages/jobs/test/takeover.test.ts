import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { eventually, untilAborted } from '@wp/testkit'
import { JobInterrupted } from '../src/index.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'
import { recordEffect } from './fixture/test-jobs.ts'

const children: ChildProcess[] = []

const environment = await openTestEnvironment()
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await environment.clear()
})
afterAll(() => environment.close())

/** Starts a runner in its own process. Resolves when it is in the middle of a job. */
async function startRunnerProcess() {
  const script = fileURLToPath(new URL('./fixture/runner-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, environment.url, environment.workerUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  expect(String(await once(child.stdout, 'data'))).toBe('begun\n')
  return child
}

/**
 * Starts a runner in this process and cuts it off from the database while it handles the job, which thus loses a lease.
 * Before that it writes a checkpoint with or without progress, or none.
 */
async function loseLease(mode: 'half' | 'ready' | 'nothing'): Promise<void> {
  const begun = Promise.withResolvers<void>()
  const database = environment.connect()
  await environment.runner({
    database,
    leaseMs: 1_000,
    handle: async (_job, control) => {
      if (mode === 'half') await control.checkpoint(async () => ({ progress: 0.5, detail: { half: true } }))
      if (mode === 'ready') await control.checkpoint(async () => ({ detail: { ready: true }, isProgress: false }))
      begun.resolve()
      await untilAborted(control.signal)
    },
  })
  await begun.promise
  await environment.cutOff(database)
}

const takeOver = () =>
  environment.runner({
    handle: (job, control) =>
      control.finish(async (tx) => {
        await recordEffect(tx, job, 'second half')
        return { by: 'successor', from: job.detail }
      }),
  })

const finished = (id: string) =>
  eventually(async () => {
    const job = await environment.job(id)
    return job.state === 'finished' && job
  })

/** Advisory lock that delays the end of a job until the test releases it. */
const finishLock = 4_712

const notes = async () =>
  (await environment.queryAsAdmin<{ note: string }>('SELECT note FROM effects')).map(({ note }) => note)

describe('a job', () => {
  it('continues from its last checkpoint in another runner when its runner is killed', async () => {
    const { id } = await environment.enqueue()
    const child = await startRunnerProcess()
    child.kill('SIGKILL')
    await takeOver()
    expect(await finished(id)).toMatchObject({ lost_leases: 1, result: { by: 'successor', from: { half: true } } })
    expect((await notes()).sort()).toEqual(['first half', 'second half'])
  })

  it('is not changed by a suspended runner that resumes after its lease has expired', async () => {
    const { id } = await environment.enqueue()
    const child = await startRunnerProcess()
    child.kill('SIGSTOP')
    await takeOver()
    const done = await finished(id)
    child.kill('SIGCONT')
    child.stdin.write('go on\n')
    expect(String(await once(child.stdout, 'data'))).toBe('LeaseLost\n')
    expect(await environment.job(id)).toEqual(done)
    expect((await notes()).sort()).toEqual(['first half', 'second half'])
  })

  it('fails and emits its event when the third lease is lost without a checkpoint', async () => {
    const { id } = await environment.enqueue()
    for (const mode of ['nothing', 'ready', 'nothing'] as const) await loseLease(mode)
    let handled = 0
    await environment.runner({
      onFailed: async (tx, job) => {
        tx.emit({ kind: 'DATA_SYNC_FAILED', data: { id: job.id, status: 'failed', data_source_id: 'src_1' } })
      },
      handle: async () => {
        handled += 1
      },
    })
    await eventually(async () => (await environment.job(id)).state === 'failed')
    expect(await environment.job(id)).toMatchObject({
      lost_leases: 3,
      failures: 0,
      error: { code: 'lease_lost', message: 'The job was interrupted too often', retryable: true },
    })
    expect(handled).toBe(0)
    expect(await environment.queryAsAdmin('SELECT kind FROM platform.outbox')).toEqual([{ kind: 'DATA_SYNC_FAILED' }])
  })

  it('survives lost leases between checkpoints, up to the total limit', async () => {
    const { id } = await environment.enqueue()
    for (const mode of ['half', 'nothing', 'half', 'nothing', 'half'] as const) await loseLease(mode)
    await environment.queryAsAdmin(
      'UPDATE platform.jobs SET lost_leases = lost_leases + 24, lost_before = lost_before + 24',
    )
    await loseLease('half')
    expect(await environment.job(id)).toMatchObject({ state: 'running', lost_leases: 29 })
    await takeOver()
    expect(
      await eventually(async () => (await environment.job(id)).state === 'failed' && environment.job(id)),
    ).toMatchObject({
      lost_leases: 30,
      error: { code: 'lease_lost' },
    })
  })

  it('is interrupted when its runner cannot reach the database, before another runner takes over', async () => {
    const reasons: unknown[] = []
    const begun = Promise.withResolvers<void>()
    const database = environment.connect()
    await environment.runner({
      database,
      leaseMs: 600,
      handle: async (_job, control) => {
        begun.resolve()
        const interruption = await untilAborted(control.signal)
        reasons.push(interruption instanceof JobInterrupted && interruption.reason)
      },
    })
    const { id } = await environment.enqueue()
    await begun.promise
    await environment.cutOff(database)
    await eventually(() => reasons.length === 1)
    expect(reasons).toEqual(['lease_lost'])
    await takeOver()
    await finished(id)
  })

  it('may commit after its lease time, without a takeover and without delaying the renewal of other leases', async () => {
    await environment.queryAsAdmin(`SELECT pg_advisory_lock(${finishLock})`)
    const [slow, steady] = [await environment.enqueue(), await environment.enqueue()]
    const taken: string[] = []
    const end = Promise.withResolvers<void>()
    for (const database of [environment.connect(), environment.connect()])
      await environment.runner({
        database,
        leaseMs: 1_000,
        handle: async (job, control) => {
          taken.push(job.id)
          if (job.id === steady.id) await end.promise
          await control.finish(async (tx) => {
            if (job.id === slow.id) await tx.query(`SELECT pg_advisory_xact_lock(${finishLock})`)
            await recordEffect(tx, job)
          })
        },
      })
    await eventually(async () => {
      const [row] = await environment.queryAsAdmin<{ isExpired: boolean }>(
        `SELECT now() > started_at + interval '2 s' AS "isExpired" FROM platform.jobs WHERE id = $1`,
        [slow.id],
      )
      return row?.isExpired
    })
    await environment.queryAsAdmin(`SELECT pg_advisory_unlock(${finishLock})`)
    await finished(slow.id)
    end.resolve()
    await finished(steady.id)
    expect(taken.sort()).toEqual([slow.id, steady.id].sort())
    expect(await environment.queryAsAdmin('SELECT FROM platform.jobs WHERE lost_leases > 0')).toEqual([])
  })
})
