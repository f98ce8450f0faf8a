import { countQueuedJobs } from '@wp/database'

/** The job queue of runs, of agents and of chats. */
export const agentRunQueue = 'agent_run'

export const agentRunQuota = countQueuedJobs('agent_run', agentRunQueue)

/** The job queue of evaluations. A job is queued, too, while it waits for the runs of its cases. */
export const evaluationQueue = 'evaluation'

export const runningEvaluationQuota = countQueuedJobs('evaluation', evaluationQueue)
