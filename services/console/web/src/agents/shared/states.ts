import type { AgentRun, AgentState } from '@wp/contracts'

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

/** Interval between reads of a run in progress, in milliseconds. */
export const pollMs = 1500

/** The states of agents. */
export const agentStates = ['draft', 'active', 'archived'] as const satisfies AgentState[]
