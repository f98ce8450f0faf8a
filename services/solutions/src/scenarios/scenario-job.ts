import type { solutions } from '@wp/contracts'
import { countQueuedJobs } from '@wp/database'
import type { z } from 'zod'

/** The job queue of scenarios. */
export const scenarioQueue = 'scenario'

export const scenarioQuota = countQueuedJobs('scenario', scenarioQueue)

/** The request of a scenario, which is the input of its job. */
export type AskedScenario = Omit<z.output<typeof solutions.createScenario.body>, 'metadata' | 'external_id'>

export type ScenarioResult = NonNullable<z.input<typeof solutions.getScenario.ok>['result']>
