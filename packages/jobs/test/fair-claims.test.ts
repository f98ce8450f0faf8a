import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { claimJobs, listWaiting } from '../src/queue/claim.ts'
import { choosePreempted, planClaims, workspaceCap } from '../src/runner/fair-shares.ts'
import { createDatabaseQueue, createModelQueue } from './fixture/simulated-queues.ts'
import { type Step, simulate } from './fixture/simulated-runners.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'
import { queue } from './fixture/test-jobs.ts'

const environment = await openTestEnvironment()
afterEach(() => environment.clear())
afterAll(() => environment.close())

const maxRunners = 4
const anyRunner = fc.nat(maxRunners - 1)
const anyEnqueue = fc.record({
  kind: fc.constant('enqueue' as const),
  workspace: fc.nat(7),
  jobs: fc.integer({ min: 1, max: 8 }),
})
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: anyEnqueue },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      runners: fc.array(anyRunner, { minLength: 1, maxLength: maxRunners }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('finish' as const), runner: anyRunner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), runner: anyRunner }) },
)
/** Mostly few slots, so that there are more workspaces than slots. */
const anySlots = fc.array(fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 12 })), {
  minLength: 1,
  maxLength: maxRunners,
})
/** A backlog, then any steps. */
const anySteps = (maxLength: number) =>
  fc
    .tuple(fc.array(anyEnqueue, { minLength: 2, maxLength: 8 }), fc.array(anyStep, { minLength: 10, maxLength }))
    .map(([backlog, steps]) => [...backlog, ...steps])

describe('claims of any runners for any workspaces', () => {
  /**
   * Checked in every state (see `simulate`): from the pass that first sees a due job of a workspace without running
   * jobs until that workspace is served, every other workspace gets at most one job, on all runners together; a
   * workspace below its cap does not wait while a slot is lent; only jobs beyond a cap are preempted; no idle slot
   * stays idle.
   */
  it('let no workspace wait more than its turn', () =>
    fc.assert(
      fc.asyncProperty(anySlots, anySteps(80), (slots, steps) => simulate(createModelQueue(), slots, steps)),
      { numRuns: 1_000 },
    ))

  it('let no workspace wait more than its turn when the database orders them', async () => {
    const { worker } = environment.database
    await fc.assert(
      fc.asyncProperty(anySlots, anySteps(40), async (slots, steps) => {
        await environment.clear()
        await simulate(createDatabaseQueue(worker, queue), slots, steps)
      }),
      { numRuns: 25 },
    )
  })
})

describe('workspaceCap', () => {
  it.each([
    [1, 1],
    [4, 1],
    [7, 1],
    [8, 2],
    [100, 25],
  ])('of %d slots is %d', (slots, cap) => expect(workspaceCap(slots)).toBe(cap))
})

describe('planClaims', () => {
  const waiting = (entries: Record<string, number>) =>
    Object.entries(entries).map(([workspaceId, due]) => ({ workspaceId, due, servedAt: null }))
  const running = (...ids: string[]) => ids.map((workspaceId) => ({ workspaceId }))
  const planned = (...given: Parameters<typeof planClaims>) =>
    Object.fromEntries(planClaims(...given).map(({ workspaceId, jobs }) => [workspaceId, jobs]))

  it.each([
    ['lends all idle slots to one workspace', { slots: 4, running: [], ending: 0 }, { a: 9 }, { a: 4 }],
    [
      'serves each workspace before lending',
      { slots: 4, running: [], ending: 0 },
      { a: 9, b: 9, c: 1 },
      { a: 2, b: 1, c: 1 },
    ],
    ['takes lent slots back', { slots: 4, running: running('a', 'a', 'a', 'a'), ending: 0 }, { a: 9, b: 9 }, { b: 1 }],
    ['takes no slot within a cap', { slots: 4, running: running('a', 'b', 'c', 'd'), ending: 0 }, { e: 1 }, {}],
    ['lends nothing in place of ending jobs', { slots: 4, running: running('a', 'a'), ending: 2 }, { a: 9 }, {}],
    [
      'serves shares in place of ending jobs',
      { slots: 4, running: running('a', 'a'), ending: 4 },
      { a: 9, b: 9 },
      { b: 1 },
    ],
  ])('%s', (_name, use, due, expected) => expect(planned(use, waiting(due))).toEqual(expected))

  it('preempts the newest lent jobs first', () => {
    const jobs = ['a1', 'b1', 'a2', 'b2', 'c1'].map((id) => ({ id, workspaceId: id.charAt(0) }))
    expect(choosePreempted({ slots: 4, running: jobs }).map(({ id }) => id)).toEqual(['b2'])
    expect(choosePreempted({ slots: 3, running: jobs }).map(({ id }) => id)).toEqual(['a2', 'b2'])
    expect(choosePreempted({ slots: 5, running: jobs })).toEqual([])
  })
})

describe('two claims decided at the same time', () => {
  it('serve the workspace once, and the other runner learns that there may be more', async () => {
    const { worker } = environment.database
    const other = environment.connect().worker
    for (let index = 0; index < 3; index += 1) await environment.enqueue({}, 'ws_busy')
    const limit = 8
    const [first, second] = await Promise.all([
      listWaiting(worker, { queue, limit }),
      listWaiting(other, { queue, limit }),
    ])
    const grant = (waiting: typeof first) => waiting.map(({ due: _due, ...workspace }) => ({ ...workspace, jobs: 1 }))
    const results = await Promise.all([
      claimJobs(worker, { queue, leaseMs: 60_000, grants: grant(first) }),
      claimJobs(other, { queue, leaseMs: 60_000, grants: grant(second) }),
    ])
    expect(results.map(({ leases, isContended }) => [leases.length, isContended]).sort()).toEqual([
      [0, true],
      [1, false],
    ])
  })
})
