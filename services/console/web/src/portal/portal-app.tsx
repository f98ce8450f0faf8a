import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { Client } from '@wp/client/browser'
import { useEffect, useMemo } from 'react'
import { useStore } from '../api/session-state.ts'
import { callerQuery } from '../session/session.ts'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { EndedPage } from './ended-page.tsx'
import { forgetLinkSecret } from './link-secret.ts'
import type { PageSettings } from './page-settings.ts'
import { LinkContext, type LinkView } from './page-settings.ts'
import styles from './portal.module.css'
import { createPortalClient, isRefusal, linkEnded } from './portal-client.ts'
import { portalWorkspace } from './portal-frame.tsx'
import { createPortalRouter } from './portal-router.tsx'

interface PortalAppProps {
  /** The path of the page of the link. */
  base: string
  linkId: string
  secret: string | undefined
  settings: PageSettings | undefined
}

/** The portal, or why it cannot be shown. */
export function PortalApp({ base, linkId, secret, settings }: PortalAppProps) {
  const hasEnded = useStore(linkEnded) || settings?.is_ended === true
  useEffect(() => {
    if (hasEnded) forgetLinkSecret(linkId)
  }, [hasEnded, linkId])
  if (hasEnded) return <EndedPage settings={settings} reason="ended" />
  if (settings === undefined || secret === undefined) return <EndedPage settings={settings} reason="unknown" />
  return <OpenPortal base={base} linkId={linkId} secret={secret} settings={settings} />
}

function OpenPortal({ base, linkId, secret, settings }: PortalAppProps & { secret: string; settings: PageSettings }) {
  const api = useMemo(() => createPortalClient(secret), [secret])
  const { data, error, refetch } = useQuery({
    queryKey: ['portal-link', linkId],
    queryFn: ({ signal }) => api.webhooks.getPortalLink({ params: { portal_link_id: linkId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: (failures, failure) => failures < 1 && !isRefusal(failure),
  })
  if (data !== undefined) return <Portal base={base} api={api} link={data} settings={settings} />
  if (isRefusal(error)) return <EndedPage settings={settings} reason="unknown" />
  return (
    <main className={styles.loading}>
      {error === null ? <Skeleton height="24rem" /> : <ErrorMessage error={error} onRetry={() => void refetch()} />}
    </main>
  )
}

function Portal({ base, api, link, settings }: { base: string; api: Client; link: LinkView; settings: PageSettings }) {
  const queryClient = useQueryClient()
  const router = useMemo(() => createPortalRouter(queryClient, base), [queryClient, base])
  const customer = useMemo(() => ({ api: withCustomer(api, link), link, settings }), [api, link, settings])
  queryClient.setQueryDefaults(callerQuery(portalWorkspace, api).queryKey, { staleTime: Number.POSITIVE_INFINITY })
  useEndAt(link.expires_at)
  return (
    <LinkContext value={customer}>
      <RouterProvider router={router as never} />
    </LinkContext>
  )
}

/** Returns a client that knows what its caller may do: a portal link has no profile to ask for. */
function withCustomer(api: Client, link: LinkView): Client {
  const scopes = link.can_write ? (['webhooks:read', 'webhooks:write'] as const) : (['webhooks:read'] as const)
  const credential = { type: 'api_key', scopes: [...scopes], workspace_id: null, expires_at: link.expires_at }
  const me = async () => ({ credential })
  return { ...api, auth: { ...api.auth, me: me as never } } // the pages read the scopes of the caller only
}

/** Ends the portal when its link expires, also without a call that is refused. */
function useEndAt(time: string): void {
  useEffect(() => {
    const timer = setTimeout(() => linkEnded.set(true), Math.max(0, Date.parse(time) - Date.now()))
    return () => clearTimeout(timer)
  }, [time])
}
