import { useQueryClient } from '@tanstack/react-query'
import { auth } from '@wp/contracts'
import { type SessionUser, sessionQuery } from '../../session/session.ts'
import { useApi } from '../../session/workspace-context.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form } from '../../ui/form/form.tsx'
import { FormField } from '../../ui/form/form-field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { LocaleFields } from '../locale-fields.tsx'

/** The fields that the page shows: the body has a picture too. */
const schema = auth.updateMe.body.pick({ name: true, locale: true, timezone: true })

/** Changes name, time zone and language of the signed-in user. */
export function ProfileForm({ user: { name, locale, timezone } }: { user: SessionUser }) {
  const api = useApi()
  const queryClient = useQueryClient()
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { name, locale, timezone },
    onSubmit: async (body) => {
      await api.auth.updateMe({ body })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      showSuccess('Saved your profile')
    },
  })
  return (
    <Form {...state} submitLabel="Save changes" align="start">
      <FormField form={form} name="name" label="Name" empty="null" isOptional>
        <Input maxLength={200} autoComplete="name" />
      </FormField>
      <LocaleFields
        form={form}
        names={{ timezone: 'timezone', locale: 'locale' }}
        current={{ timezone, locale }}
        none="As in the workspace"
      />
    </Form>
  )
}
