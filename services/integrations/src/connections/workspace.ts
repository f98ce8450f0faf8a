import { type Caller, problem } from '@wp/contracts'

/** The workspace of a call between services. @throws Problem `workspace_required` */
export function inWorkspace({ workspaceId }: Pick<Caller, 'workspaceId'>): string {
  if (workspaceId === null) throw problem('workspace_required')
  return workspaceId
}
