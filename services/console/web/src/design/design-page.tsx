import { useState } from 'react'
import { PageFrame } from '../shell/page-frame.tsx'
import { Button, Icon, iconNames } from '../ui/button/button.tsx'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { ThemeChoice } from '../ui/menu/tabs.tsx'
import { Callout, ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { Card, Cluster, Page, Stack } from '../ui/page/page.tsx'
import styles from './design.module.css'

/** Shows the tokens of the design system, and what pages show seldom: messages, dialogs and toasts. */
export function DesignPage() {
  return (
    <PageFrame>
      <main>
        <Page
          title="Design system"
          description="The tokens of the console, its messages, dialogs and toasts."
          actions={<ThemeChoice />}
        >
          <FoundationSections />
          <FeedbackSections />
        </Page>
      </main>
    </PageFrame>
  )
}

const exampleError = new TypeError('failed to fetch')

/** Messages, dialogs and toasts. */
function FeedbackSections() {
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

const colours = [
  'canvas',
  'surface',
  'surface-muted',
  'line',
  'line-strong',
  'text',
  'text-secondary',
  'text-muted',
  'accent',
  'accent-soft',
  'success',
  'success-soft',
  'warning',
  'warning-soft',
  'danger',
  'danger-soft',
  'chart-1',
  'chart-2',
  'chart-3',
  'chart-4',
  'chart-5',
  'chart-6',
]

/** Colour, type, space and icons. */
const FoundationSections = () => (
  <>
    <Card title="Colour" description="Names say the role; the theme chooses the value.">
      <div className={styles.swatches}>
        {colours.map((name) => (
          <div key={name} className="stack-1 secondary small">
            <div className={styles.colour} style={{ background: `var(--${name})` }} />
            <code>--{name}</code>
          </div>
        ))}
      </div>
    </Card>
    <Card title="Type">
      <div style={{ display: 'grid', gap: 'var(--space-2)' }}>
        <div style={{ fontSize: 'var(--size-figure)', fontWeight: 620 }}>Figure 12,345</div>
        <div style={{ fontSize: 'var(--size-title)', fontWeight: 650 }}>Title of a page</div>
        <div style={{ fontSize: 'var(--size-large)', fontWeight: 620 }}>Heading of a card</div>
        <div>Text of the body, in the zone of the reader</div>
        <div style={{ fontSize: 'var(--size-small)', color: 'var(--text-muted)' }}>Small text beside it</div>
        <code>Code and ids</code>
      </div>
    </Card>
    <Card title="Space">
      <div className={styles.spaces}>
        {[1, 2, 3, 4, 5, 6, 7].map((step) => (
          <div key={step} className={styles.space}>
            <span style={{ width: `var(--space-${step})`, height: `var(--space-${step})` }} />
            <code>{step}</code>
          </div>
        ))}
      </div>
    </Card>
    <Card title="Icons">
      <div className={styles.icons}>
        {iconNames.map((name) => (
          <div key={name} className={styles.icon}>
            <Icon name={name} /> {name}
          </div>
        ))}
      </div>
    </Card>
  </>
)
