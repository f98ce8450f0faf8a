import { useState } from 'react'
import { useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Unloaded } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../ui/values/values.tsx'
import { AttemptList } from '../attempts/attempt-list.tsx'
import { isPending } from '../attempts/delivery-status.ts'
import { useDelivery } from '../attempts/use-delivery.ts'
import { useSubscriptions } from '../shared/queries.ts'
import { ResendDialog } from './resend-dialog.tsx'

/** A look at one delivery, beside the list: its attempts and its body. */
export function DeliveryDrawer({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const [isResending, setResending] = useState(false)
  const canWrite = useCan()('webhooks:write')
  const { nameOf } = useSubscriptions()
  const { data, error, refetch } = useDelivery(requestId)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="drawer"
      title={data?.event ?? 'Delivery'}
      footer={
        <>
          {data && canWrite && !isPending(data) && <Button onClick={() => setResending(true)}>Resend</Button>}
          <ButtonLink variant="primary" to="/$workspaceId/webhooks/deliveries/$requestId" params={{ requestId }}>
            Open the delivery
          </ButtonLink>
        </>
      }
    >
      {data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="20rem" />
      ) : (
        <Stack>
          <DefinitionList
            items={[
              ['Status', <StatusBadge key="status" status={data.status} />],
              ['Subscription', isolate(nameOf(data.webhook_id))],
              ['Created', <Time key="created" value={data.created_at} format="absolute" />],
              ['Request id', <Id key="request" value={data.request_id} />],
            ]}
          />
          {data.attempts.length === 0 ? <p>No attempt was made yet.</p> : <AttemptList attempts={data.attempts} />}
          <JsonView value={data.body} label="Body of the request" />
          {isResending && <ResendDialog deliveries={[data]} onClose={() => setResending(false)} />}
        </Stack>
      )}
    </Dialog>
  )
}
