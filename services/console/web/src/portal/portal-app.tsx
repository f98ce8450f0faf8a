import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, RouterProvider, redirect } from '@tanstack/react-router'
import type { Client } from '@wp/client/browser'
import { useEffect, useMemo } from 'react'
import { useStore } from '../api/session-state.ts'
import { rootRoute, workspaceRoute } from '../routing/root-routes.tsx'
import { callerQuery } from '../session/session.ts'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { webhookRoutes } from '../webhooks/routes.ts'
import { EndedPage } from './ended-page.tsx'
import { forgetLinkSecret } from './link-secret.ts'
import { LinkContext, type LinkView, type PageSettings } from './page-settings.ts'
import styles from './portal.module.css'
import { createPortalClient, isRefusal, linkEnded } from './portal-client.ts'
import { PortalFrame, portalWorkspace } from './portal-frame.tsx'

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

/** The list of all deliveries and event destinations are of the workspace; the page of a webhook lists its own. */
const isOfWorkspace = (path: string): boolean =>
  path === 'webhooks/deliveries' || /^webhooks\/destinations(\/|$)/.test(path)

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$workspaceId/webhooks', params: { workspaceId: portalWorkspace }, replace: true })
  },
})

/**
 * Creates the router of the portal: the pages of webhooks of the console, at the same paths, in a frame of their own
 * and without a session. The routes are those of this document alone, so they can be changed.
 * @param basepath the path of the page of the link
 */
function createPortalRouter(queryClient: QueryClient, basepath: string) {
  Object.assign(workspaceRoute.options, { component: PortalFrame, beforeLoad: undefined })
  const pages = webhookRoutes.filter(({ options }) => !isOfWorkspace((options as { path: string }).path)) // every page has one
  return createRouter({
    basepath,
    routeTree: rootRoute.addChildren([startRoute, workspaceRoute.addChildren(pages)]),
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    search: { strict: true },
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorMessage error={error} onRetry={reset} />,
    defaultNotFoundComponent: () => <p>This page does not exist.</p>,
  })
}
