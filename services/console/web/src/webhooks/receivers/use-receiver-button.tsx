import { useMutation } from '@tanstack/react-query'
import { useApi, useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { showError } from '../../ui/message/toast.ts'

/** Creates a test receiver, whose address becomes the endpoint. */
export function UseReceiverButton({ onCreated }: { onCreated: (endpoint: string) => void }) {
  const api = useApi()
  const canWrite = useCan()('webhooks:write')
  const create = useMutation({
    mutationFn: () => api.webhooks.createReceiver(),
    onSuccess: ({ endpoint }) => onCreated(endpoint),
    onError: showError,
  })
  if (!canWrite) return null
  return (
    <Button icon="bolt" size="small" isBusy={create.isPending} onClick={() => create.mutate()}>
      Use a test receiver
    </Button>
  )
}
