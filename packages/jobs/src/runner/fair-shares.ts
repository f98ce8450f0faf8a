import type { Grant, WaitingWorkspace } from '../queue/claim.ts'

/** The share of a runner's slots that one workspace may hold while another waits. */
const workspaceShare = 1 / 4

/** Returns the number of slots of a runner that a workspace keeps until its jobs end: a quarter, at least one. */
export const workspaceCap = (slots: number): number => Math.max(1, Math.floor(slots * workspaceShare))

/**
 * Returns the maximum number of waiting workspaces that a decision can depend on: as many may be at their cap as have a
 * slot.
 */
export const maxWaiting = (slots: number): number => 2 * slots

interface RunningJob {
  workspaceId: string
}

/** The slots of a runner at the time of a decision. */
export interface SlotUse<R extends RunningJob = RunningJob> {
  slots: number
  /** Jobs that hold a slot, in the order of their starts. */
  running: readonly R[]
  /** Number of preempted jobs whose handlers have not ended yet. They hold no slot, but none is lent in their place. */
  ending: number
}

/** Returns the jobs in lent slots, in the order of their starts: those beyond the cap of their workspace. */
export function listLent<R extends RunningJob>({ slots, running }: Pick<SlotUse<R>, 'slots' | 'running'>): R[] {
  const cap = workspaceCap(slots)
  const counts = new Map<string, number>()
  return running.filter(({ workspaceId }) => {
    const count = (counts.get(workspaceId) ?? 0) + 1
    counts.set(workspaceId, count)
    return count > cap
  })
}

/** Returns true if a claim may be possible: a slot is free or lent. */
export const hasCapacity = (use: SlotUse): boolean => use.running.length < use.slots || listLent(use).length > 0

/**
 * Decides how many jobs a runner claims for each waiting workspace.
 *
 * Workspaces below their cap get free and lent slots, one job at a time in the order of their turns. Slots that are
 * free after that are lent to any workspace in the same order. So a workspace below its cap gets its first job before
 * another gets its second, and none waits while a slot is lent.
 *
 * @param waiting in the order of their turns
 */
export function planClaims(use: SlotUse, waiting: readonly WaitingWorkspace[]): Grant[] {
  const cap = workspaceCap(use.slots)
  const grants = waiting.map((workspace) => ({
    ...workspace,
    jobs: 0,
    held: use.running.filter(({ workspaceId }) => workspaceId === workspace.workspaceId).length,
  }))
  const free = use.slots - use.running.length
  const granted = grantInTurn(grants, free + listLent(use).length, ({ held, jobs }) => held + jobs < cap)
  grantInTurn(grants, free - granted - use.ending, () => true)
  return grants
    .filter(({ jobs }) => jobs > 0)
    .map(({ workspaceId, jobs, servedAt }) => ({ workspaceId, jobs, servedAt }))
}

/** Grants up to `count` jobs, each to the first workspace with the fewest. @returns the number of jobs granted */
function grantInTurn<G extends { jobs: number; due: number }>(
  grants: readonly G[],
  count: number,
  mayGrant: (grant: G) => boolean,
): number {
  for (let granted = 0; granted < count; granted += 1) {
    const [first, ...others] = grants.filter((grant) => grant.jobs < grant.due && mayGrant(grant))
    if (first === undefined) return granted
    const next = others.reduce((fewest, grant) => (grant.jobs < fewest.jobs ? grant : fewest), first)
    next.jobs += 1
  }
  return Math.max(0, count)
}

/** Returns the jobs to preempt: of those in lent slots the newest, as many as there are more jobs than slots. */
export function choosePreempted<R extends RunningJob>(use: Pick<SlotUse<R>, 'slots' | 'running'>): R[] {
  const excess = use.running.length - use.slots
  return excess > 0 ? listLent(use).slice(-excess) : []
}
