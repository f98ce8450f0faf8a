import { useEffect } from 'react'
import { Icon } from '../ui/button/button.tsx'
import { postToParent } from './frame-messages.ts'
import type { PageSettings } from './page-settings.ts'
import styles from './portal.module.css'

/** Says that the link cannot be used, and leads back. @param settings undefined for a link that does not exist */
export function EndedPage({ settings, reason }: { settings: PageSettings | undefined; reason: 'ended' | 'unknown' }) {
  const origins = settings?.frame_origins
  useEffect(() => {
    document.title = reason === 'ended' ? 'This link has ended' : 'This link is not valid'
    if (origins !== undefined) postToParent(origins, { type: 'wp-portal', event: 'expired' })
  }, [origins, reason])
  const name = settings?.theme.name ?? null
  const from = name === null ? 'where you found it' : name
  return (
    <main className={styles.ended}>
      <Icon name="clock" size={28} />
      {reason === 'ended' ? (
        <>
          <h1>This link has ended</h1>
          <p>
            For your safety, links to this page work for a short time only. Your webhooks are unchanged and keep
            running. Open the page again from {from}.
          </p>
        </>
      ) : (
        <>
          <h1>This link is not valid</h1>
          <p>The address is incomplete, or it was copied from another page. Open the page again from {from}.</p>
        </>
      )}
      {settings?.return_url != null && ( // null, or undefined without settings
        <a className={styles.back} href={settings.return_url} target="_top" rel="noreferrer">
          Back to {name ?? new URL(settings.return_url).host}
        </a>
      )}
    </main>
  )
}
