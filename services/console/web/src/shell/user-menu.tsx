import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionQuery } from '../session/session.ts'
import { logout, onSignOutElsewhere } from '../session/session-requests.ts'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { chooseTheme } from '../theme/theme.ts'
import { DeferredMenu } from '../ui/menu/deferred-menu.tsx'
import { showError } from '../ui/message/toast.ts'
import styles from './shell.module.css'
import { initialOf } from './workspace-switcher.tsx'

/** Loads the page again, so that nothing of the session stays in memory. */
const openSignIn = () => location.assign('/console/sign-in')

/** The signed-in user, with theme, keyboard help and sign-out. */
export function UserMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const navigate = useNavigate()
  const workspaceId = useWorkspaceId()
  const { data: session } = useQuery(sessionQuery)
  useEffect(() => onSignOutElsewhere(openSignIn), [])
  if (!session?.authenticated) return null
  const { name, email } = session.user
  const signOut = async () => {
    try {
      await logout()
      openSignIn()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <DeferredMenu
      align="start"
      trigger={
        <button type="button" className={styles.switcher}>
          <span className={`${styles.tile} ${styles.round}`} aria-hidden="true">
            {initialOf(name ?? email)}
          </span>
          <span className={styles.switcherText}>
            <strong className="ellipsis">{name ?? email}</strong>
            {name && <span className="ellipsis">{email}</span>}
          </span>
        </button>
      }
      entries={[
        {
          label: 'Profile',
          icon: 'people',
          onSelect: () => void navigate({ href: `/${workspaceId}/settings/profile` }),
        },
        { label: 'Keyboard shortcuts', icon: 'info', onSelect: onShowKeys },
        { label: 'API reference', icon: 'external', onSelect: () => window.open('/docs', '_blank', 'noopener') },
        'separator',
        { heading: 'Theme' },
        { label: 'System', icon: 'sliders', onSelect: () => chooseTheme('system') },
        { label: 'Light', icon: 'sun', onSelect: () => chooseTheme('light') },
        { label: 'Dark', icon: 'eye', onSelect: () => chooseTheme('dark') },
        'separator',
        { label: 'Sign out', icon: 'logout', onSelect: signOut },
      ]}
    />
  )
}
