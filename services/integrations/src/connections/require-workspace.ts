import { type Caller, problem } from '@wp/contracts'

/** Returns the workspace of a call between services. @throws Problem `workspace_required` */
export function requireWorkspaceId({ workspaceId }: Pick<Caller, 'workspaceId'>): string {
  if (workspaceId === null) throw problem('workspace_required')
  return workspaceId
}
