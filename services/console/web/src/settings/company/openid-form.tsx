import { SsoConnectionPatch } from '@wp/contracts'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { type Connection, connectionQuery } from './queries.ts'

const schema = SsoConnectionPatch.pick({ issuer: true, client_id: true, client_secret: true, groups_claim: true })

/** The form that connects an OpenID provider, or changes its connection. */
export function OpenIdForm({ connection }: { connection: Connection | undefined }) {
  const { api, refresh } = useWorkspace()
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: {
      issuer: connection?.issuer ?? '',
      client_id: connection?.client_id ?? '',
      client_secret: undefined,
      groups_claim: connection?.groups_claim ?? 'groups',
    },
    onSubmit: async (body) => {
      await api.auth.updateSsoConnection({ body: { ...body, kind: 'oidc' } })
      await refresh(connectionQuery)
      showSuccess('Saved the company sign-in')
    },
  })
  return (
    <Form {...state} submitLabel={connection === undefined ? 'Connect' : 'Save changes'}>
      <FormField
        form={form}
        name="issuer"
        label="Issuer"
        hint="The address under which the provider publishes its metadata."
      >
        <Input maxLength={500} inputMode="url" autoComplete="off" placeholder="https://login.example.com" />
      </FormField>
      <FormField form={form} name="client_id" label="Client ID">
        <Input maxLength={500} autoComplete="off" />
      </FormField>
      <FormField
        form={form}
        name="client_secret"
        label="Client secret"
        empty="omit"
        isOptional={connection !== undefined}
        hint={connection === undefined ? undefined : 'Leave it empty to keep the secret.'}
      >
        <Input type="password" maxLength={2000} autoComplete="new-password" />
      </FormField>
      <FormField form={form} name="groups_claim" label="Claim with the groups">
        <Input maxLength={100} autoComplete="off" />
      </FormField>
    </Form>
  )
}
