import type { AgentState } from '@wp/contracts'

/** The states of agents. */
export const agentStates = ['draft', 'active', 'archived'] as const satisfies AgentState[]
