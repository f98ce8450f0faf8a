import type { solutions } from '@wp/contracts'
import { type CountedQuota, countRows } from '@wp/database'
import type { z } from 'zod'
import type { RestsOn } from '../workplace/unread-warnings.ts'

/** The job queue of scenarios. */
export const scenarioQueue = 'scenario'

/** The queued scenarios of users. Those that the platform starts hold an exclusive key, one of each site. */
export const scenarioQuota: CountedQuota = {
  ...countRows('queued_jobs', 'platform.jobs', `queue = '${scenarioQueue}' AND state = 'queued' AND exclusive IS NULL`),
  kind: 'scenario',
}

/** The request of a scenario, which is the input of its job. */
export type AskedScenario = Omit<z.output<typeof solutions.createScenario.body>, 'metadata' | 'external_id'> & {
  /** Of those that the platform starts after a forecast. */
  trigger?: 'forecast'
}

/** The result as it is stored; totals of what can close follow from it. */
export type ScenarioResult = Omit<NonNullable<z.input<typeof solutions.getScenario.ok>['result']>, 'free_totals'> & {
  /** Those of its forecast. */
  rests_on?: RestsOn | undefined
}
