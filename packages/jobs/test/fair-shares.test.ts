import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { type Job, type JobControl, JobInterrupted } from '../src/index.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'

const environment = await openTestEnvironment()
afterEach(() => environment.clear())
afterAll(() => environment.close())

/** Longer than any test: only a wake starts a pass. */
const wakeOnly = { pollMs: 3_600_000, heartbeatMs: 3_600_000, leaseMs: 3_600_000 }
const [busy, quiet] = [newId('ws'), newId('ws')]

/** An attempt that a test observes and ends. */
interface Attempt {
  job: Job
  control: JobControl
  /** Set when the attempt was interrupted. */
  reason?: string
  end: () => void
}

/** Returns a handler whose attempts last until the test ends them or they are interrupted, and the list of attempts. */
function createHandler({ ignoreInterruption = false } = {}) {
  const attempts: Attempt[] = []
  const handle = async (job: Job, control: JobControl): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const attempt: Attempt = { job, control, end: resolve }
    attempts.push(attempt)
    control.signal.addEventListener('abort', () => {
      const interruption: unknown = control.signal.reason
      if (interruption instanceof JobInterrupted) attempt.reason = interruption.reason
      if (!ignoreInterruption || attempt.reason === 'shutdown') reject(interruption)
    })
    await promise
    await control.finish()
  }
  return {
    attempts,
    handle,
    of: (workspaceId: string) => attempts.filter(({ job }) => job.workspaceId === workspaceId),
  }
}

async function enqueueMany(workspaceId: string, count: number): Promise<Job[]> {
  const jobs: Job[] = []
  for (let index = 0; index < count; index += 1) jobs.push(await environment.enqueue({}, workspaceId))
  return jobs
}

const interruptionsOf = (attempts: readonly Attempt[]) => attempts.map(({ reason }) => reason)

describe('a runner with one slot', () => {
  it('starts the first job of a workspace before the second of another that was served since', async () => {
    const started: string[] = []
    await enqueueMany(busy, 10)
    await enqueueMany(quiet, 2)
    await environment.runner({ concurrency: 1, handle: async (job) => void started.push(job.workspaceId) })
    await eventually(() => started.length === 12)
    expect(started.slice(0, 4)).toEqual([busy, quiet, busy, quiet])
  })

  it('takes over the lost jobs of a workspace in its turn', async () => {
    const started: string[] = []
    const lost = await enqueueMany(busy, 5)
    await enqueueMany(quiet, 1)
    await environment.queryAsAdmin(
      `UPDATE platform.jobs SET state = 'running', lease_token = 'dead', lease_until = now() - interval '1 s' WHERE id = ANY ($1)`,
      [lost.map(({ id }) => id)],
    )
    await environment.runner({ concurrency: 1, handle: async (job) => void started.push(job.workspaceId) })
    await eventually(() => started.length === 6)
    expect(started.slice(0, 3)).toEqual([busy, quiet, busy])
  })
})

describe('a runner whose idle slots are lent', () => {
  /** Starts a runner with four slots, all of them held by jobs of one workspace. */
  async function lendAllSlots(options: { ignoreInterruption?: boolean } = {}) {
    const handler = createHandler(options)
    const counts: [string, unknown][] = []
    const metrics = {
      count: (name: string, labels: unknown) => void counts.push([name, labels]),
      observe() {},
      gauge() {},
    }
    await enqueueMany(busy, 6)
    await environment.runner({ ...wakeOnly, concurrency: 4, handle: handler.handle, metrics })
    await eventually(() => handler.attempts.length === 4)
    return { ...handler, counts }
  }

  it('interrupts the newest lent job when another workspace has a due job', async () => {
    const { attempts, of, counts } = await lendAllSlots()
    const [first, second, third, newest] = attempts
    await newest?.control.progress(0.5, { page: 3 })
    await enqueueMany(quiet, 1)
    await eventually(() => of(quiet).length === 1)
    expect(interruptionsOf([first, second, third, newest].flatMap((attempt) => attempt ?? []))).toEqual([
      undefined,
      undefined,
      undefined,
      'preempted',
    ])
    const interrupted = newest?.job.id ?? ''
    const queued = await eventually(async () => {
      const job = await environment.job(interrupted)
      return job.state === 'queued' && job
    })
    expect(queued).toMatchObject({ failures: 0, lost_leases: 0, detail: { page: 3 }, lease_token: null })
    expect(counts).toContainEqual(['jobs_preempted_total', { queue: 'sync' }])
    await eventually(() => counts.some(([, labels]) => JSON.stringify(labels).includes('"outcome":"preempted"')))

    // The place in the queue is kept: it is the first job of its workspace to be claimed again.
    of(quiet)[0]?.end()
    await eventually(() => attempts.length === 6)
    expect(attempts[5]?.job).toMatchObject({ id: interrupted, detail: { page: 3 } })
  })

  it('interrupts as many lent jobs as needed, and none within the cap of its workspace', async () => {
    const { attempts, of } = await lendAllSlots()
    const others = [newId('ws'), newId('ws'), newId('ws'), newId('ws')]
    for (const workspaceId of others) await enqueueMany(workspaceId, 2)
    await eventually(() => attempts.length === 7)
    expect(interruptionsOf(attempts)).toEqual([
      undefined,
      'preempted',
      'preempted',
      'preempted',
      undefined,
      undefined,
      undefined,
    ])

    // The fourth of the others waits for the end of a job.
    await eventually(
      async () => (await environment.queryAsAdmin(`SELECT FROM platform.jobs WHERE state = 'running'`)).length === 4,
    )
    attempts[0]?.end()
    await eventually(() => attempts.length === 8)
    expect(attempts[7]?.job.workspaceId).toBe(others.find((id) => of(id)[0] === attempts[7]))
    expect(new Set(attempts.slice(4).map(({ job }) => job.workspaceId))).toEqual(new Set(others))
  })

  it('gives the slot of a job that ignores its interruption to others, and its result still counts', async () => {
    const { attempts, of } = await lendAllSlots({ ignoreInterruption: true })
    await enqueueMany(quiet, 1)
    await eventually(() => of(quiet).length === 1)
    const [first, , , ignoring] = attempts
    expect(ignoring?.reason).toBe('preempted')
    expect(await environment.job(ignoring?.job.id ?? '')).toMatchObject({ state: 'running' })

    // While it runs, one slot fewer is lent: of the two that become free the busy workspace gets one.
    of(quiet)[0]?.end()
    first?.end()
    await eventually(async () => (await environment.job(first?.job.id ?? '')).state === 'finished')
    await eventually(() => attempts.length === 6)
    expect(of(busy).length).toBe(5)

    ignoring?.end()
    await eventually(async () => (await environment.job(ignoring?.job.id ?? '')).state === 'finished')
    await eventually(() => attempts.length === 7)
  })
})

describe('two runners', () => {
  it('interrupt one lent job for one due job', async () => {
    const handlers = [createHandler(), createHandler()]
    await enqueueMany(busy, 12)
    for (const { handle } of handlers) {
      const database = environment.connect()
      await environment.runner({ database, concurrency: 4, handle })
    }
    const attempts = () => handlers.flatMap((handler) => handler.attempts)
    await eventually(() => attempts().length === 8)
    const [job] = await enqueueMany(quiet, 1)
    const attempt = await eventually(() => attempts().find((each) => each.job.id === job?.id))
    attempt.end()
    await eventually(async () => (await environment.job(job?.id ?? '')).state === 'finished')
    await eventually(() => attempts().length === 10)
    expect(attempts().filter(({ reason }) => reason === 'preempted')).toHaveLength(1)
  })
})
