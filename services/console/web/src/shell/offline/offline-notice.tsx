import { isOffline } from '../../api/connection.ts'
import { useStore } from '../../api/session-state.ts'
import { Icon } from '../../ui/button/button.tsx'
import styles from './offline-notice.module.css'

/** Says that the platform cannot be reached. The page and what was typed on it stay. */
export function OfflineNotice() {
  const isShown = useStore(isOffline)
  return (
    <div role="status">
      {isShown && (
        <div className={styles.notice}>
          <Icon name="warning" />
          <p>
            <strong>You are offline.</strong> What you typed stays here. Save it, and open other pages, when the
            connection is back.
          </p>
        </div>
      )}
    </div>
  )
}
