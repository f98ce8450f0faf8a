import { useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Callout } from '../ui/message/callout.tsx'
import { ErrorMessage } from '../ui/message/error-message.tsx'
import { Skeleton } from '../ui/message/skeleton.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { Card, Cluster, Stack } from '../ui/page/page.tsx'

const exampleError = new TypeError('failed to fetch')

/** Messages, dialogs and toasts. */
export function FeedbackSections() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'confirm'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Card title="Messages">
        <Stack>
          <Callout title="Two secrets are valid">The old one works until tomorrow.</Callout>
          <Callout tone="success" title="The chain is intact" />
          <Callout tone="warning" title="This webhook has no secret">
            Its requests are not signed.
          </Callout>
          <Callout tone="danger" title="The endpoint is disabled" />
          <ErrorMessage error={exampleError} onRetry={() => showSuccess('Tried again')} />
          <Skeleton width="60%" />
        </Stack>
      </Card>
      <Card title="Dialogs and toasts">
        <Cluster>
          <Button onClick={() => setOpen('dialog')}>Dialog</Button>
          <Button onClick={() => setOpen('drawer')}>Drawer</Button>
          <Button onClick={() => setOpen('confirm')}>Confirmation</Button>
          <Button onClick={() => showSuccess('Dismissed', () => showSuccess('Restored'))}>Toast with undo</Button>
          <Button onClick={() => showError(exampleError)}>Error toast</Button>
        </Cluster>
      </Card>
      <Dialog
        isOpen={open === 'dialog' || open === 'drawer'}
        size={open === 'drawer' ? 'drawer' : 'normal'}
        onClose={close}
        title="Rename the source"
        description="Its id stays the same."
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" onClick={close}>
              Rename
            </Button>
          </>
        }
      >
        <p>The content of the dialog scrolls; title and buttons stay.</p>
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete 3 keys"
        confirmLabel="Delete 3 keys"
        typedConfirmation="delete"
        onConfirm={async () => showSuccess('Deleted')}
      >
        Programs that use them are refused within a second. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
