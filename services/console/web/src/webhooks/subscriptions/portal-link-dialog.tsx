import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checkbox, Input } from '../../ui/form/controls.tsx'
import { Field, FormActions } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Cluster, Stack } from '../../ui/page/page.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { Time } from '../../ui/values/values.tsx'
import { EventsPicker } from '../subscription-form/events-picker.tsx'

interface CreatedLink {
  url: string
  expires_at: string
}

/** Creates a portal link for a customer, and shows its address once. */
export function PortalLinkDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<CreatedLink>()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={link === undefined ? 'Portal link' : 'The portal link is ready'}
      description="A page in which a customer of yours manages their own webhooks, and sees nothing of anyone else."
    >
      {link === undefined ? (
        <PortalLinkForm onCreated={setLink} onCancel={onClose} />
      ) : (
        <CreatedPortalLink link={link} onClose={onClose} />
      )}
    </Dialog>
  )
}

function PortalLinkForm({ onCreated, onCancel }: { onCreated: (link: CreatedLink) => void; onCancel: () => void }) {
  const api = useApi()
  const [customerId, setCustomerId] = useState('')
  const [customerName, setCustomerName] = useState('')
  const [events, setEvents] = useState<string[]>(['*'])
  const [origin, setOrigin] = useState('')
  const [canWrite, setCanWrite] = useState(true)
  const create = useMutation({
    mutationFn: () =>
      api.webhooks.createPortalLink({
        body: {
          customer_id: customerId.trim(),
          customer_name: customerName.trim() === '' ? null : customerName.trim(),
          events,
          can_write: canWrite,
          frame_origins: origin.trim() === '' ? [] : [origin.trim().replace(/\/$/, '')],
        },
      }),
    onSuccess: onCreated,
  })
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Field label="Customer id" hint="Your own identifier of the customer. Their webhooks are found by it">
          <Input value={customerId} required maxLength={200} onChange={(event) => setCustomerId(event.target.value)} />
        </Field>
        <Field label="Customer name" isOptional hint="Shown at the top of the page">
          <Input value={customerName} maxLength={200} onChange={(event) => setCustomerName(event.target.value)} />
        </Field>
        <Field label="Page that shows it in a frame" isOptional hint="Its origin, such as https://app.example.com">
          <Input isMono value={origin} maxLength={255} onChange={(event) => setOrigin(event.target.value)} />
        </Field>
        <EventsPicker value={events} onChange={setEvents} />
        <Checkbox
          label="The customer may change webhooks"
          checked={canWrite}
          onChange={(event) => setCanWrite(event.target.checked)}
        />
        {create.error && <ErrorMessage error={create.error} />}
        <FormActions>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={create.isPending} disabled={events.length === 0}>
            Create link
          </Button>
        </FormActions>
      </Stack>
    </form>
  )
}

const CreatedPortalLink = ({ link: { url, expires_at }, onClose }: { link: CreatedLink; onClose: () => void }) => (
  <Stack>
    <p>
      Anyone who opens this address acts for the customer, until <Time value={expires_at} format="absolute" />. It is
      shown this once.
    </p>
    <CodeBlock code={url} label="Portal link" wrap />
    <Cluster>
      <a href={url} target="_blank" rel="noreferrer">
        Open the portal
      </a>
    </Cluster>
    <FormActions>
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    </FormActions>
  </Stack>
)
