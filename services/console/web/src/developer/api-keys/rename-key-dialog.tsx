import { NewApiKey } from '@wp/contracts'
import { z } from 'zod'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form } from '../../ui/form/form.tsx'
import { FormField } from '../../ui/form/form-field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'

const schema = z.object({ name: NewApiKey.shape.name.unwrap().nullable() })

/** Renames an API key; without a name it is called by the end of its secret. */
export const RenameKeyDialog = ({
  isOpen,
  onClose,
  ...form
}: {
  isOpen: boolean
  onClose: () => void
  name: string | null
  onRename: (body: { name: string | null }) => Promise<unknown>
}) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Rename the API key">
    <RenameForm {...form} onClose={onClose} />
  </Dialog>
)

function RenameForm({
  name,
  onRename,
  onClose,
}: {
  name: string | null
  onRename: (body: { name: string | null }) => Promise<unknown>
  onClose: () => void
}) {
  const { form, ...state } = useApiForm({ schema, defaultValues: { name }, onSubmit: onRename })
  return (
    <Form {...state} submitLabel="Rename" onCancel={onClose}>
      <FormField form={form} name="name" label="Name" empty="null" isOptional>
        <Input autoFocus maxLength={100} autoComplete="off" />
      </FormField>
    </Form>
  )
}
