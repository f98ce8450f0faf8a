import { useEffect, useRef } from 'react'
import { useCan } from '../../session/workspace-context.tsx'
import { itemOfPath, settingsItems } from '../commands/navigation.ts'
import { PageLink } from './page-link.tsx'
import styles from './settings-navigation.module.css'

/** The pages of the area Settings that the user may see. @param path of the page within the workspace */
export function SettingsNavigation({ path }: { path: string }) {
  const can = useCan()
  const current = itemOfPath(path)
  const nav = useRef<HTMLElement>(null)
  // In a row that scrolls, the page that is shown may be out of sight.
  useEffect(() => {
    nav.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path])
  return (
    <nav ref={nav} className={styles.nav} aria-label="Settings">
      {settingsItems
        .filter(({ scope }) => scope === undefined || can(scope))
        .map((item) => (
          <PageLink key={item.path} path={item.path} isCurrent={item === current} className={styles.link}>
            {item.label}
          </PageLink>
        ))}
    </nav>
  )
}
