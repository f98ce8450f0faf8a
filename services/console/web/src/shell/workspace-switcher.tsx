import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery } from '../session/session.ts'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { Icon } from '../ui/button/button.tsx'
import { useDeferred } from '../ui/menu/deferred.ts'
import { DeferredMenu } from '../ui/menu/deferred-menu.tsx'
import styles from './shell.module.css'

const loadCreateDialog = () => import('./create-workspace-dialog.tsx')

/** Returns the first letter of a name, for its tile. */
export const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?'

/** Shows the workspace and switches to another one. */
export function WorkspaceSwitcher() {
  const navigate = useNavigate()
  const workspaceId = useWorkspaceId()
  const { data: session } = useQuery(sessionQuery)
  const [isCreating, setCreating] = useState(false)
  const createDialog = useDeferred(loadCreateDialog, isCreating)
  if (!session?.authenticated) return null
  const { workspaces } = session.user
  const current = workspaces.find(({ workspace_id }) => workspace_id === workspaceId)
  const name = current?.name ?? workspaceId
  return (
    <>
      <DeferredMenu
        align="start"
        trigger={
          <button type="button" className={styles.switcher} title={name}>
            <span className={styles.tile} aria-hidden="true">
              {initialOf(name)}
            </span>
            <span className={styles.switcherText}>
              <strong className="ellipsis">{name}</strong>
              <span className="ellipsis">
                {current?.role ?? 'workspace'}
                {session.environment === 'production' ? '' : ` · ${session.environment}`}
              </span>
            </span>
            <Icon name="chevrons-up-down" size={16} />
          </button>
        }
        entries={[
          { heading: 'Workspaces' },
          ...workspaces.map(({ workspace_id, name: label }) => ({
            label,
            icon: workspace_id === workspaceId ? ('check' as const) : ('building' as const),
            onSelect: () => void navigate({ href: `/${workspace_id}` }),
          })),
          'separator',
          { label: 'Create a workspace', icon: 'plus', onSelect: () => setCreating(true) },
        ]}
      />
      {createDialog && <createDialog.CreateWorkspaceDialog isOpen={isCreating} onClose={() => setCreating(false)} />}
    </>
  )
}
