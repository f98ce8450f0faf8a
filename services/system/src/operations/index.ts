import type { Operations, system, systemUsage } from '@wp/contracts'
import type { Context } from '../context.ts'
import { usage } from './usage.ts'
import { deleteVariable, getVariable, listVariables, listVariableVersions, putVariable } from './variables.ts'

export const operations = {
  /** Responds with 200 in any case: the body states the health of the services. */
  health: ({ fleetHealth }) => fleetHealth.read(),
  listVariables,
  putVariable,
  getVariable,
  listVariableVersions,
  deleteVariable,
} satisfies Operations<typeof system, Context>

export const usageOperations = { usage } satisfies Operations<typeof systemUsage, Context>
