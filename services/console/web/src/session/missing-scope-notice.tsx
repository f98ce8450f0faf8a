import type { Scope } from '@wp/contracts'
import { Callout } from '../ui/message/message.tsx'
import { useCan } from './workspace-context.tsx'

/** Says that the user may not do what the page is for. Shows nothing to those who may. @param action `add webhooks` */
export function MissingScopeNotice({ action, scope }: { action: string; scope: Scope }) {
  if (useCan()(scope)) return null
  return (
    <Callout tone="warning" title={`You cannot ${action}`}>
      It needs the scope {scope}. Ask an administrator of the workspace.
    </Callout>
  )
}
