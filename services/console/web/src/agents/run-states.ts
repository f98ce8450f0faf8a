import type { AgentRun } from '@wp/contracts'

/** The states of runs. */
export const runStates = [
  'queued',
  'running',
  'finished',
  'failed',
  'cancelled',
] as const satisfies AgentRun['status'][]

/** Returns true if a run has not ended. */
export const isInProgress = ({ status }: { status: string }): boolean => status === 'queued' || status === 'running'

/** How often a run in progress is read, in milliseconds. */
export const pollMs = 1500
