import { useApiQuery, useCan, useIsCallerKnown } from '../../session/workspace-context.tsx'
import { Icon } from '../../ui/button/button.tsx'
import { isInSettings, itemOfPath, navigation } from '../commands/navigation.ts'
import styles from '../shell.module.css'
import { PageLink } from './page-link.tsx'

/** The pages of the workspace that the user may see. @param path of the page within the workspace */
export function MainNavigation({ path }: { path: string }) {
  const can = useCan()
  const current = itemOfPath(path)
  return (
    <nav className={styles.nav} aria-label="Main">
      {navigation.map(({ label, items }) => (
        <div key={label ?? 'top'}>
          {label && <div className={styles.groupLabel}>{label}</div>}
          {items
            .filter(({ scope }) => scope === undefined || can(scope))
            .map((item) => (
              <PageLink key={item.path} path={item.path} isCurrent={item === current} className={styles.link}>
                <Icon name={item.icon} />
                {item.label}
              </PageLink>
            ))}
        </div>
      ))}
      <div>
        {can('notifications:read') && <NotificationsLink isCurrent={current?.path === 'notifications'} />}
        <PageLink path="settings" isCurrent={isInSettings(path)} className={styles.link}>
          <Icon name="settings" />
          Settings
        </PageLink>
      </div>
    </nav>
  )
}

const unreadRefreshMs = 60_000

function NotificationsLink({ isCurrent }: { isCurrent: boolean }) {
  const { data } = useApiQuery(
    ['notifications', 'unread'],
    (api, options) => api.notifications.listNotifications({ query: { unread: 'true', limit: 1 } }, options),
    { refetchInterval: unreadRefreshMs, enabled: useIsCallerKnown() },
  )
  const unread = data?.meta.unread_count ?? 0
  return (
    <PageLink path="notifications" isCurrent={isCurrent} className={styles.link}>
      <Icon name="bell" />
      Notifications
      {unread > 0 && (
        <span className={styles.count} role="status" aria-label={`${unread} unread`}>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </PageLink>
  )
}
