import { useQueryClient } from '@tanstack/react-query'
import type { Workspace } from '@wp/contracts'
import { systemWorkspaces } from '@wp/contracts'
import { sessionQuery } from '../../session/session.ts'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form } from '../../ui/form/form.tsx'
import { FormField } from '../../ui/form/form-field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Callout } from '../../ui/message/callout.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { LocaleFields } from '../locale-fields.tsx'

/** The fields that the page shows: the body has metadata too. */
const schema = systemWorkspaces.updateWorkspace.body.pick({ name: true, settings: true })

/** Changes name, time zone and language of the workspace. */
export function WorkspaceForm({ workspace: { name, settings } }: { workspace: Workspace }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canWrite = useCan()('workspace:write')
  const queryClient = useQueryClient()
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { name, settings },
    onSubmit: async (body) => {
      await api.system.updateWorkspace({ body })
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'workspace'] })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      showSuccess('Saved the settings of the workspace')
    },
  })
  return (
    <fieldset disabled={!canWrite}>
      <Form {...state} submitLabel="Save changes" align="start">
        {!canWrite && <Callout>Changing these settings needs the scope workspace:write.</Callout>}
        <FormField form={form} name="name" label="Name">
          <Input maxLength={100} autoComplete="organization" />
        </FormField>
        <LocaleFields
          form={form}
          names={{ timezone: 'settings.timezone', locale: 'settings.locale' }}
          current={settings}
        />
        <p>Time zone and language apply to members who have not chosen their own, for example in mails.</p>
      </Form>
    </fieldset>
  )
}
