import { useState } from 'react'
import { z } from 'zod'
import { useApi } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checkbox, Input } from '../../ui/form/controls.tsx'
import { FormActions } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
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

const PortalLinkValues = z.object({
  customer_id: z.string().trim().min(1, 'is required'),
  customer_name: z.string().trim(),
  frame_origins: z.string().trim(),
  events: z.array(z.string()).min(1, 'choose at least one'),
  can_write: z.boolean(),
})

function PortalLinkForm({ onCreated, onCancel }: { onCreated: (link: CreatedLink) => void; onCancel: () => void }) {
  const api = useApi()
  const { form, ...state } = useApiForm({
    schema: PortalLinkValues,
    defaultValues: { customer_id: '', customer_name: '', frame_origins: '', events: ['*'], can_write: true },
    onSubmit: async ({ customer_name: name, frame_origins: origin, ...values }) => {
      const frame_origins = origin === '' ? [] : [origin.replace(/\/$/, '')]
      const body = { ...values, customer_name: name === '' ? null : name, frame_origins }
      onCreated(await api.webhooks.createPortalLink({ body }))
    },
  })
  return (
    <Form {...state} submitLabel="Create link" onCancel={onCancel}>
      <FormField
        form={form}
        name="customer_id"
        label="Customer id"
        hint="Your own identifier of the customer. Their webhooks are found by it"
      >
        <Input maxLength={200} />
      </FormField>
      <FormField form={form} name="customer_name" label="Customer name" isOptional hint="Shown at the top of the page">
        <Input maxLength={200} />
      </FormField>
      <FormField
        form={form}
        name="frame_origins"
        label="Page that shows it in a frame"
        isOptional
        hint="Its origin, such as https://app.example.com"
      >
        <Input isMono maxLength={255} />
      </FormField>
      <EventsPicker
        value={form.watch('events')}
        onChange={(events) => form.setValue('events', events, { shouldDirty: true })}
        error={errorOf(form, 'events')}
      />
      <Checkbox label="The customer may change webhooks" {...form.register('can_write')} />
    </Form>
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
