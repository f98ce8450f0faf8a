import { countQueuedJobs } from '@wp/database'

/** The job queue of runs, of agents and of chats. */
export const agentRunQueue = 'agent_run'

export const agentRunQuota = countQueuedJobs('agent_run', agentRunQueue)
