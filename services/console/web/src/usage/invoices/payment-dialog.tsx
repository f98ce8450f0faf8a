import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { SafeLink } from '../../ui/data/safe-link.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Skeleton } from '../../ui/message/skeleton.tsx'
import { Stack } from '../../ui/page/page.tsx'

/** Starts the payment of an invoice and says how to pay. Started again, the invoice is still paid once. */
export function PaymentDialog({ invoiceId, onClose }: { invoiceId: string; onClose: () => void }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'usage', 'payments', invoiceId],
    queryFn: ({ signal }) => api.billing.startPayment({ params: { id: invoiceId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog isOpen onClose={onClose} title="Pay the invoice">
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height="4rem" />
      ) : (
        <Stack>
          <p>{data.instructions}</p>
          {data.url !== null && (
            <p>
              <SafeLink address={data.url}>Open the payment page</SafeLink>
              {data.expires_at !== null && (
                <>
                  , which expires <Time value={data.expires_at} />
                </>
              )}
              .
            </p>
          )}
        </Stack>
      )}
    </Dialog>
  )
}
