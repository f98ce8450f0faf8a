import { Outlet, useRouterState } from '@tanstack/react-router'
import { use, useEffect, useRef } from 'react'
import { WorkspaceProvider } from '../session/workspace-context.tsx'
import { PageFrame } from '../shell/page-frame.tsx'
import { Icon } from '../ui/button/button.tsx'
import { isolate } from '../ui/format/untrusted-text.ts'
import { Badge } from '../ui/values/values.tsx'
import { reportHeight } from './frame-messages.ts'
import { LinkContext } from './page-settings.ts'
import styles from './portal.module.css'

/** In the place of the id of a workspace, which the portal neither shows nor sends. */
export const portalWorkspace = '-'

/** The frame of every page of the portal: the names of the product and the customer, and the way back. */
export function PortalFrame() {
  const { api, link, settings } = use(LinkContext)
  const content = useRef<HTMLDivElement>(null)
  const main = useRef<HTMLElement>(null)
  useEffect(
    () => (content.current === null ? undefined : reportHeight(settings.frame_origins, content.current)),
    [settings],
  )
  useFocusOnNewPage(main)
  const name = settings.theme.name
  return (
    <PageFrame>
      <WorkspaceProvider workspaceId={portalWorkspace} api={api} baseUrl={location.origin}>
        <div ref={content} className={styles.portal}>
          <header className={styles.header}>
            <span className={styles.names}>
              {name !== null && <strong>{isolate(name)}</strong>}
              {link.customer_name !== null && <span>{isolate(link.customer_name)}</span>}
            </span>
            {!link.can_write && <Badge>Read only</Badge>}
            {settings.return_url !== null && (
              <a className={styles.back} href={settings.return_url} target="_top" rel="noreferrer">
                <Icon name="chevron-left" size={14} />
                Back
              </a>
            )}
          </header>
          <main id="content" ref={main} tabIndex={-1} className={styles.main}>
            <Outlet />
          </main>
        </div>
      </WorkspaceProvider>
    </PageFrame>
  )
}

/** Moves the focus to the content when another page is opened, as a document that is loaded does. */
function useFocusOnNewPage(main: { current: HTMLElement | null }): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else main.current?.focus({ preventScroll: true })
  }, [path])
}
