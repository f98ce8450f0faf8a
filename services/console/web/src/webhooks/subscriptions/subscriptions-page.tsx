import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { usePortal } from '../../session/portal-context.ts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useDeferred } from '../../ui/menu/deferred.ts'
import { useEventKinds } from '../shared/queries.ts'
import { SubscriptionTable } from './subscription-table.tsx'

const route = getRouteApi('/$workspaceId/webhooks')

/** The webhook subscriptions of the workspace. */
export function SubscriptionsPage() {
  const search = route.useSearch()
  const { status, event, search: text } = search
  const canCreate = useCan()('webhooks:write')
  const portal = usePortal()
  const { data: kinds } = useEventKinds()
  const page = useApiQuery(['webhooks', 'subscriptions', search], (api, options) =>
    api.webhooks.listSubscriptions({ query: search }, options),
  )
  const isFiltered = status !== undefined || event !== undefined || text !== undefined
  return (
    <ListPage
      title="Webhooks"
      area="Webhooks"
      description={`Events of ${portal === undefined ? 'the workspace' : (portal.productName ?? 'your account')}, sent to your systems as they happen.`}
      actions={
        <>
          {portal === undefined && canCreate && <PortalLinkButton />}
          <ScopedButton scope="webhooks:write" icon="plus" variant="primary" to="/$workspaceId/webhooks/new">
            Add webhook
          </ScopedButton>
        </>
      }
      filters={[
        {
          name: 'search',
          label: 'Search',
          placeholder: 'Part of a description or an address',
          isSearch: true,
        },
        { name: 'status', label: 'Status', options: ['active', 'disabled'] },
        { name: 'event', label: 'Event', options: (kinds ?? []).map(({ kind }) => ({ value: kind, label: kind })) },
      ]}
    >
      <SubscriptionTable page={page} isFiltered={isFiltered} canCreate={canCreate} />
    </ListPage>
  )
}

const loadDialog = () => import('./portal-link-dialog.tsx')

/** Opens the dialog that creates a portal link. */
function PortalLinkButton() {
  const [isOpen, setOpen] = useState(false)
  const loaded = useDeferred(loadDialog, isOpen)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Portal link</Button>
      {loaded && isOpen && <loaded.PortalLinkDialog onClose={() => setOpen(false)} />}
    </>
  )
}
