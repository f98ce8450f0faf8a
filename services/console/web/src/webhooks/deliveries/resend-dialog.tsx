import { useState } from 'react'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Stack } from '../../ui/page/page.tsx'
import { runBulk } from '../../ui/table/row-selection.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { isPending } from '../attempts/delivery-status.ts'
import type { DeliveryView } from './delivery-table.tsx'

/** Sends deliveries again, after it has said which. Pending ones are left out: they are sent anyway. */
export function ResendDialog({
  deliveries,
  onClose,
}: {
  deliveries: readonly DeliveryView[]
  /** @param failed request ids that could not be sent again; undefined if nothing was done */
  onClose: (failed?: readonly string[]) => void
}) {
  const { api, refresh } = useWorkspace()
  const [sent, setSent] = useState<number>()
  const ended = deliveries.filter((delivery) => !isPending(delivery))
  const pendingCount = deliveries.length - ended.length
  const deliveredCount = ended.filter(({ status }) => status === 'delivered').length
  const resend = async () => {
    setSent(0)
    const { done, failed, error } = await runBulk(
      ended.map(({ request_id }) => request_id),
      async (requestId) => {
        await api.webhooks.resendDelivery({ params: { request_id: requestId } })
        setSent((count = 0) => count + 1)
      },
    )
    setSent(undefined)
    await refresh('webhooks')
    if (done.length > 0) showSuccess(`Resent ${formatCount(done.length, 'delivery', 'deliveries')}`)
    if (failed.length > 0) throw error
    onClose(failed)
    return false
  }
  const count = formatCount(ended.length, 'delivery', 'deliveries')
  return (
    <ConfirmDialog
      isOpen
      onClose={() => onClose()}
      title={`Resend ${count}`}
      confirmLabel={`Resend ${count}`}
      isDangerous={false}
      isDisabled={ended.length === 0}
      onConfirm={resend}
    >
      <Stack>
        <p>Each is sent at once with the same body and the same request id, so that receivers can recognize it.</p>
        {deliveredCount > 0 && (
          <p>
            {formatCount(deliveredCount, 'of them was', 'of them were')} delivered before and arrives a second time.
          </p>
        )}
        {pendingCount > 0 && (
          <p>
            {formatCount(pendingCount, 'selected delivery is', 'selected deliveries are')} pending and left out: the
            platform sends {pendingCount === 1 ? 'it' : 'them'} anyway.
          </p>
        )}
        {sent !== undefined && (
          <Progress label="Resending" value={sent / ended.length} text={`${sent} of ${ended.length}`} />
        )}
      </Stack>
    </ConfirmDialog>
  )
}
