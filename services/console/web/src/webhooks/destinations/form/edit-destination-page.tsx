import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../../session/workspace-context.tsx'
import { showSuccess } from '../../../ui/message/toast.ts'
import { Page, UnloadedPage } from '../../../ui/page/page.tsx'
import { useDestination } from '../queries.ts'
import { DestinationForm, type DestinationValues } from './destination-form.tsx'

const route = getRouteApi('/$workspaceId/webhooks/destinations/$destinationId/edit')

/** Changes an event destination. Its content and type stay as they are. */
export function EditDestinationPage() {
  const { destinationId } = route.useParams()
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const { data, error, refetch } = useDestination(destinationId)
  const page = {
    to: '/$workspaceId/webhooks/destinations/$destinationId',
    params: { workspaceId, destinationId },
  } as const
  const parent = { label: data?.name ?? 'Event destination', link: page }
  if (data === undefined)
    return (
      <UnloadedPage
        title="Edit event destination"
        isNarrow
        parent={parent}
        error={error}
        refetch={refetch}
        height="24rem"
      />
    )
  const save = async ({ name, events, filter, format, config }: DestinationValues) => {
    await api.webhooks.updateDestination({
      params: { destination_id: destinationId },
      body: { name, events, filter, format, config },
    })
    await refresh('webhooks')
    showSuccess('Saved the event destination')
    await navigate(page)
  }
  return (
    <Page title="Edit event destination" isNarrow parent={parent}>
      <DestinationForm destination={data} onSubmit={save} onCancel={() => void navigate(page)} />
    </Page>
  )
}
