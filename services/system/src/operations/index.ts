import type { Operations, system } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createWorkspace } from './create-workspace.ts'
import { deleteVariable } from './delete-variable.ts'
import { getVariable } from './get-variable.ts'
import { getWorkspace } from './get-workspace.ts'
import { health } from './health.ts'
import { listVariables } from './list-variables.ts'
import { listWorkspaces } from './list-workspaces.ts'
import { putVariable } from './put-variable.ts'
import { updateWorkspace } from './update-workspace.ts'

export const operations = {
  health,
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  listVariables,
  putVariable,
  getVariable,
  deleteVariable,
} satisfies Operations<typeof system, Context>
