import { useState } from 'react'
import { useApi, useCan } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { showError } from '../../ui/message/toast.ts'

/** Creates a test receiver, whose address becomes the endpoint. */
export function UseReceiverButton({ onCreated }: { onCreated: (endpoint: string) => void }) {
  const api = useApi()
  const canWrite = useCan()('webhooks:write')
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      onCreated((await api.webhooks.createReceiver()).endpoint)
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  if (!canWrite) return null
  return (
    <Button size="small" isBusy={isBusy} onClick={() => void create()}>
      <Icon name="bolt" size={14} />
      Use a test receiver
    </Button>
  )
}
