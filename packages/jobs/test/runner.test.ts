import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { type Caller, Problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { connectBus, createRelay } from '@wp/events'
import { eventually, testNats, untilAborted } from '@wp/testkit'
import { cancelJob, type Job, type JobControl, JobFailure, JobInterrupted, LeaseLost } from '../src/index.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'
import { callerIn, queue, recordEffect } from './fixture/test-jobs.ts'

const environment = await openTestEnvironment()
afterEach(() => environment.clear())
afterAll(() => environment.close())

const inState = (id: string, state: string) =>
  eventually(
    async () => {
      const job = await environment.job(id)
      return job.state === state && job
    },
    { description: `state ${state}` },
  )

const emitEnd = (tx: Parameters<Parameters<JobControl['finish']>[0] & object>[0], id: string) =>
  tx.emit({ kind: 'DATA_SYNC_FAILED', data: { id, status: 'failed', data_source_id: 'src_1' } })

const events = () => environment.queryAsAdmin<{ kind: string }>('SELECT kind FROM platform.outbox')

describe('two runners', () => {
  it('run each of a hundred jobs once', async () => {
    const jobs = await Promise.all(Array.from({ length: 100 }, () => environment.enqueue()))
    const begun = { one: Promise.withResolvers<void>(), other: Promise.withResolvers<void>() }
    for (const runner of ['one', 'other'] as const)
      await environment.runner({
        database: environment.connect(),
        async handle(job, control) {
          begun[runner].resolve()
          // Otherwise the first could run all of them before the second has started.
          await Promise.all([begun.one.promise, begun.other.promise])
          await control.finish((tx) => recordEffect(tx, job))
        },
      })
    await eventually(async () => (await environment.effects()).length >= 100)
    await eventually(
      async () => (await environment.queryAsAdmin(`SELECT FROM platform.jobs WHERE state = 'finished'`)).length === 100,
    )
    expect((await environment.effects()).sort()).toEqual(jobs.map(({ id }) => id).sort())
  })
})

describe('a runner', () => {
  it('looks again when the next job is due, however rarely it polls', async () => {
    const { id } = await environment.enqueue({ runAt: new Date(Date.now() + 300) })
    await environment.runner({
      pollMs: 3_600_000,
      handle: (job, control) => control.finish((tx) => recordEffect(tx, job)),
    })
    await inState(id, 'finished')
  })

  it('commits effects, result, state and events together, as the caller and in its workspace', async () => {
    const workspaceId = newId('ws')
    await environment.runner({
      handle: (job, control) =>
        control.finish(async (tx) => {
          await recordEffect(tx, job)
          emitEnd(tx, job.id)
          expect(tx.workspaceId).toBe(workspaceId)
          return { rows: 3 }
        }),
    })
    const { id } = await environment.enqueue({ caller: callerIn(workspaceId) }, workspaceId)
    expect(await inState(id, 'finished')).toMatchObject({
      progress: 1,
      result: { rows: 3 },
      error: null,
      lease_token: null,
    })
    expect(await environment.queryAsAdmin('SELECT workspace_id, actor, request_id FROM platform.outbox')).toEqual([
      { workspace_id: workspaceId, actor: callerIn(null).principal, request_id: 'req-4f1c2a90' },
    ])
  })

  it('starts a job when woken by its commit, and not before its start time', async () => {
    await environment.runner({ pollMs: 3_600_000, handle: async () => {} })
    const { id } = await environment.enqueue()
    await inState(id, 'finished')

    await environment.runner({ queue: 'later', handle: async () => {} })
    const later = await environment.enqueue({ queue: 'later', runAt: new Date(Date.now() + 300) })
    await inState(later.id, 'finished')
    const [row] = await environment.queryAsAdmin<{ early: boolean }>(
      'SELECT started_at < run_at AS early FROM platform.jobs WHERE id = $1',
      [later.id],
    )
    expect(row?.early).toBe(false)
  })

  it('rolls back and fails the job without exposing the cause when finishing fails', async () => {
    await environment.runner({
      onFailed: async (tx, job) => emitEnd(tx, `${job.id} ${job.error?.code}`),
      handle: (job, control) =>
        control.finish(async (tx) => {
          await recordEffect(tx, job)
          throw new Error('password of the database')
        }),
    })
    const { id } = await environment.enqueue()
    expect(await inState(id, 'failed')).toMatchObject({
      result: null,
      error: { code: 'internal_error', message: 'Something went wrong on our side', retryable: true },
    })
    expect(await environment.effects()).toEqual([])
    expect(await environment.queryAsAdmin(`SELECT data->>'id' AS id FROM platform.outbox`)).toEqual([
      { id: `${id} internal_error` },
    ])
  })

  it.each([
    ['a failure', new JobFailure({ code: 'auth', message: 'Refused', retryable: false }), 'auth'],
    ['a problem', new Problem('not_found', { detail: 'No such source' }), 'not_found'],
  ])('shows %s that the handler threw', async (_name, thrown, code) => {
    await environment.runner({
      handle: async () => {
        throw thrown
      },
    })
    const { id } = await environment.enqueue()
    expect(await inState(id, 'failed')).toMatchObject({ error: { code, message: thrown.message, retryable: false } })
  })

  it.each([
    ['warn', 'a failure', new JobFailure({ code: 'config', message: 'Bad SQL', retryable: false })],
    ['warn', 'a problem of the request', new Problem('not_found', { detail: 'No such source' })],
    ['error', 'a problem of the platform', new Problem('internal_error')],
    ['error', 'an unexpected error', new TypeError('undefined is not a function')],
  ])('logs as %s %s that the handler threw', async (level, _name, thrown) => {
    await environment.runner({
      maxAttempts: 1,
      handle: async () => {
        throw thrown
      },
    })
    const { id } = await environment.enqueue()
    await inState(id, 'failed')
    const entries = () => environment.log.entries.filter(({ job }) => job === id)
    await eventually(() => entries().length >= 2)
    expect(entries().map(({ level, event }) => [level, event])).toEqual([
      [level, 'job.handler_failed'],
      ['warn', 'job.failed'],
    ])
  })

  it('logs as warning a failure that the handler threw after it had ended the job', async () => {
    const error = { code: 'config', message: 'Bad SQL', retryable: false }
    await environment.runner({
      handle: async (_job, control) => {
        await control.fail(error)
        throw new JobFailure(error)
      },
    })
    const { id } = await environment.enqueue()
    const late = () =>
      environment.log.entries.find(({ job, event }) => job === id && event === 'job.handler_failed_late')
    expect(await eventually(late)).toMatchObject({ level: 'warn' })
  })

  it('retries a retryable failure up to the limit and emits an event for the last one only', async () => {
    let attempts = 0
    await environment.runner({
      maxAttempts: 3,
      onFailed: async (tx, job) => emitEnd(tx, job.id),
      handle: async (_job, control) => {
        attempts += 1
        await control.fail({ code: 'transient', message: 'Not now', retryable: true })
      },
    })
    const { id } = await environment.enqueue()
    expect(await inState(id, 'failed')).toMatchObject({ failures: 2, lost_leases: 0, error: { code: 'transient' } })
    expect(attempts).toBe(3)
    expect(await events()).toHaveLength(1)
  })

  it('does not retry a permanent failure', async () => {
    let attempts = 0
    await environment.runner({
      maxAttempts: 3,
      handle: async (_job, control) => {
        attempts += 1
        await control.fail({ code: 'config', message: 'Wrong', retryable: false })
      },
    })
    await inState((await environment.enqueue()).id, 'failed')
    expect(attempts).toBe(1)
  })

  it('resolves the current permissions of the stored caller and fails the job when there are none', async () => {
    const workspaceId = newId('ws')
    const resolved: Caller[] = []
    const seen: Caller[] = []
    const revoked = 'sp_revoked'
    await environment.runner({
      resolveCaller: async (caller) => {
        resolved.push(caller)
        return caller.credentialId === revoked ? null : { ...caller, scopes: ['data:read'] }
      },
      onFailed: async (tx, job) => emitEnd(tx, job.id),
      handle: async (_job, control) => {
        seen.push(control.caller)
      },
    })
    const allowed = await environment.enqueue({ caller: callerIn(workspaceId) }, workspaceId)
    await inState(allowed.id, 'finished')
    const rejected = await environment.enqueue(
      { caller: { ...callerIn(workspaceId), credentialId: revoked } },
      workspaceId,
    )
    expect(await inState(rejected.id, 'failed')).toMatchObject({ error: { code: 'caller_revoked', retryable: false } })
    const scheduled = await environment.enqueue({}, workspaceId)
    await inState(scheduled.id, 'finished')
    expect(resolved).toHaveLength(2)
    expect(seen.map(({ principal, scopes, workspaceId: at }) => [principal.type, scopes, at])).toEqual([
      ['service_principal', ['data:read'], workspaceId],
      ['service', [], workspaceId],
    ])
    expect(await events()).toHaveLength(1)
  })

  it('requeues a job without counting an attempt when the infrastructure fails', async () => {
    let failures = 3
    await environment.runner({
      handle: async () => {
        failures -= 1
        if (failures >= 0) throw new Problem('service_unavailable')
      },
    })
    const { id } = await environment.enqueue()
    expect(await inState(id, 'finished')).toMatchObject({ failures: 0, lost_leases: 0 })
    expect(failures).toBe(-1)
  })

  it('counts a JobFailure as a failed attempt even when its cause is a network error', async () => {
    await environment.runner({
      handle: async () => {
        const cause = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:5432'), { code: 'ECONNREFUSED' })
        throw new JobFailure({ code: 'transient', message: 'Not reached', retryable: true }, { cause })
      },
    })
    const { id } = await environment.enqueue()
    expect(await inState(id, 'failed')).toMatchObject({ error: { code: 'transient', message: 'Not reached' } })
  })

  it('writes progress and lets a handler requeue its job', async () => {
    const seen: Record<string, unknown>[] = []
    await environment.runner({
      handle: async (job, control) => {
        seen.push(job.detail)
        if (seen.length > 1) return
        await control.progress(0.25, { page: 7 })
        await control.requeue(20)
      },
    })
    const { id } = await environment.enqueue()
    await inState(id, 'finished')
    expect(seen).toEqual([{}, { page: 7 }])
  })

  it('renews a lease for as long as the handler runs', async () => {
    let claims = 0
    const end = Promise.withResolvers<void>()
    for (const database of [environment.connect(), environment.connect()])
      await environment.runner({
        database,
        leaseMs: 3_000,
        heartbeatMs: 100,
        handle: async () => {
          claims += 1
          await end.promise
        },
      })
    const { id } = await environment.enqueue()
    const claimedAt = await eventually(async () => {
      const [row] = await environment.queryAsAdmin<{ at: Date }>(
        'SELECT lease_until AS at FROM platform.jobs WHERE id = $1',
        [id],
      )
      return row?.at
    })
    // A second after the end of the first lease by the clock of the database.
    await eventually(async () => {
      const [row] = await environment.queryAsAdmin<{ over: boolean }>(
        `SELECT now() > $1::timestamptz + interval '1 s' AS over`,
        [claimedAt],
      )
      return row?.over
    })
    end.resolve()
    expect(await inState(id, 'finished')).toMatchObject({ lost_leases: 0 })
    expect(claims).toBe(1)
  })
})

describe('cancelling', () => {
  const cancel = (job: Job) =>
    environment.database.transact(callerIn(job.workspaceId), (tx) =>
      cancelJob(tx, { workspaceId: job.workspaceId, queue, id: job.id }),
    )

  it('interrupts the handler in another replica, which can no longer write', async () => {
    const { url, shard } = testNats()
    const stream = { maxBytes: 16 * 1024 ** 2 }
    const here = await connectBus({ servers: url, shard, name: 'here', log: environment.log, stream })
    const there = await connectBus({ servers: url, shard, name: 'there', log: environment.log, stream })
    try {
      await eventually(() => here.isConnected && there.isConnected)
      await environment.run(
        createRelay({ database: environment.database, bus: here, service: 'data', log: environment.log }),
      )
      const begun = Promise.withResolvers<void>()
      const late = Promise.withResolvers<unknown>()
      await environment.runner({
        database: environment.connect(),
        bus: there,
        // Too long for a test: only the wake can interrupt the handler.
        leaseMs: 3_600_000,
        heartbeatMs: 3_600_000,
        handle: async (job, control) => {
          begun.resolve()
          const interruption = await untilAborted(control.signal)
          late.resolve([
            interruption instanceof JobInterrupted && interruption.reason,
            await control.finish((tx) => recordEffect(tx, job)).catch((error: unknown) => error instanceof LeaseLost),
          ])
        },
      })
      const job = await environment.enqueue()
      await begun.promise
      expect(await cancel(job)).toMatchObject({ state: 'cancelled', finishedAt: expect.any(Date) })
      expect(await late.promise).toEqual(['cancelled', true])
      expect(await environment.job(job.id)).toMatchObject({ state: 'cancelled', result: null })
      expect(await environment.effects()).toEqual([])
    } finally {
      await environment.clear()
      await Promise.all([here.close(), there.close()])
    }
  })

  it('cancels a queued job, is idempotent, and is rejected for a job that has ended or does not exist', async () => {
    const queued = await environment.enqueue()
    expect((await cancel(queued)).state).toBe('cancelled')
    expect((await cancel(queued)).state).toBe('cancelled')
    const other = await environment.enqueue()
    await environment.runner({ handle: async () => {} })
    await inState(other.id, 'finished')
    await expect(cancel(other)).rejects.toMatchObject({ code: 'conflict' })
    await expect(cancel({ ...other, id: 'sync_none' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(cancel({ ...other, workspaceId: newId('ws') })).rejects.toMatchObject({ code: 'not_found' })
    expect(await environment.job(queued.id)).toMatchObject({ state: 'cancelled' })
  })
})

describe('stopping', () => {
  it('requeues at once a job whose handler ends when interrupted', async () => {
    const begun: string[] = []
    const end = Promise.withResolvers<void>()
    const cooperative = await environment.enqueue()
    const other = await environment.enqueue()
    const runner = await environment.runner({
      graceMs: 3_600_000,
      handle: async (job, control) => {
        begun.push(job.id)
        if (job.id === cooperative.id) throw await untilAborted(control.signal)
        await end.promise
      },
    })
    await eventually(() => begun.length === 2)
    const stopped = runner.stop()
    expect(await inState(cooperative.id, 'queued')).toMatchObject({ lease_token: null, lost_leases: 0, failures: 0 })
    expect(await environment.job(other.id)).toMatchObject({ state: 'running' })
    end.resolve()
    await stopped
  })

  it('requeues a job after the grace period when its handler continues, which can no longer write', async () => {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const late = Promise.withResolvers<boolean>()
    const { id } = await environment.enqueue()
    const runner = await environment.runner({
      graceMs: 1,
      handle: async (job, control) => {
        begun.resolve()
        await end.promise
        late.resolve(
          await control
            .finish((tx) => recordEffect(tx, job))
            .then(
              () => false,
              (error) => error instanceof LeaseLost,
            ),
        )
      },
    })
    await begun.promise
    await runner.stop()
    expect(await environment.job(id)).toMatchObject({ state: 'queued', lease_token: null, lost_leases: 0, failures: 0 })
    end.resolve()
    expect(await late.promise).toBe(true)
    expect(await environment.effects()).toEqual([])

    await environment.runner({ handle: (job, control) => control.finish((tx) => recordEffect(tx, job)) })
    await inState(id, 'finished')
  })

  it('lets a job finish in the grace period, and does not wait when there is none', async () => {
    const begun = Promise.withResolvers<void>()
    const runner = await environment.runner({
      handle: async (job, control) => {
        begun.resolve()
        await untilAborted(control.signal)
        await control.finish((tx) => recordEffect(tx, job))
      },
    })
    const { id } = await environment.enqueue()
    await begun.promise
    await runner.stop()
    expect(await environment.job(id)).toMatchObject({ state: 'finished' })
    // With these times a stop that waited for the poll or the grace period would not end.
    const idle = await environment.runner({ pollMs: 3_600_000, graceMs: 3_600_000, handle: async () => {} })
    await idle.stop()
  })
})
