import type { Operations, system, systemUsage } from '@wp/contracts'
import type { Context } from '../context.ts'
import { deleteVariable } from './delete-variable.ts'
import { getVariable } from './get-variable.ts'
import { health } from './health.ts'
import { listVariableVersions } from './list-variable-versions.ts'
import { listVariables } from './list-variables.ts'
import { putVariable } from './put-variable.ts'
import { usage } from './usage.ts'

export const operations = {
  health,
  listVariables,
  putVariable,
  getVariable,
  listVariableVersions,
  deleteVariable,
} satisfies Operations<typeof system, Context>

export const usageOperations = { usage } satisfies Operations<typeof systemUsage, Context>
