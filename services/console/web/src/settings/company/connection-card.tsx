import { type SsoConnection, SsoConnectionPatch } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { isNotFound } from '../../api/describe-error.ts'
import {
  useApi,
  useApiQuery,
  useBaseUrl,
  useCan,
  useRefresh,
  useWorkspaceId,
} from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { DefinitionList, Id } from '../../ui/values/values.tsx'

type Connection = z.infer<typeof SsoConnection>

const queryKey = 'company-connection'

/** The connection to the OpenID provider of the company. */
export function ConnectionCard() {
  const canChange = useCan()('auth:admin')
  const redirectAddress = `${useBaseUrl()}/v1/auth/login/sso/${useWorkspaceId()}/callback`
  const { data, error, refetch } = useApiQuery([queryKey], async (api, options) => {
    try {
      return { connection: await api.auth.getSsoConnection({}, options) }
    } catch (failure) {
      if (isNotFound(failure)) return { connection: undefined }
      throw failure
    }
  })
  return (
    <Card
      title="Sign-in"
      description="OpenID Connect: Entra ID, Okta, Google Workspace, Keycloak and others. Register an application with the redirect address there first."
    >
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton height="16rem" />
      ) : (
        <Stack>
          <DefinitionList
            items={[
              ['Redirect address', <Id key="redirect" value={redirectAddress} label="Copy address" />],
              ['Other sign-ins', data.connection?.required === true ? 'Refused for this workspace' : 'Allowed'],
            ]}
          />
          {data.connection !== undefined && <ConnectionState connection={data.connection} />}
          {canChange ? (
            <ConnectionForm key={data.connection?.updated_at ?? 'new'} connection={data.connection} />
          ) : (
            <Callout>Changing the sign-in needs the scope auth:admin.</Callout>
          )}
        </Stack>
      )}
    </Card>
  )
}

/** The buttons that test the sign-in, require or remove it. */
function ConnectionState({ connection: { required } }: { connection: Connection }) {
  const api = useApi()
  const canChange = useCan()('auth:admin')
  const refresh = useRefresh()
  const [dialog, setDialog] = useState<'require' | 'remove'>()
  const [failure, setFailure] = useState<unknown>()
  const close = () => setDialog(undefined)
  const test = async () => {
    try {
      const { url } = await api.auth.testSsoConnection({})
      window.location.assign(url)
    } catch (error) {
      setFailure(error)
    }
  }
  const setRequired = async () => {
    const { break_glass_user_id } = await requiredOwner(api, required)
    await api.auth.updateSsoConnection({ body: { required: !required, break_glass_user_id } })
    await refresh(queryKey)
    close()
  }
  return (
    <>
      {failure !== undefined && <ErrorMessage error={failure} />}
      {canChange && (
        <Cluster>
          <Button onClick={() => void test()}>Test</Button>
          <Button onClick={() => setDialog('require')}>
            {required ? 'Allow other sign-ins' : 'Require this sign-in'}
          </Button>
          <Button onClick={() => setDialog('remove')}>Remove</Button>
        </Cluster>
      )}
      <ConfirmDialog
        isOpen={dialog === 'require'}
        onClose={close}
        title={required ? 'Allow other sign-ins' : 'Require this sign-in'}
        confirmLabel={required ? 'Allow other sign-ins' : 'Require this sign-in'}
        onConfirm={setRequired}
      >
        {required
          ? 'Members can sign in by mail again.'
          : 'Members who signed in otherwise lose the workspace at once, until they sign in with the company. You can still sign in by mail, in case the company sign-in fails.'}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'remove'}
        onClose={close}
        title="Remove the company sign-in"
        confirmLabel="Remove sign-in"
        onConfirm={async () => {
          await api.auth.deleteSsoConnection({})
          await refresh(queryKey)
          close()
        }}
      >
        Members sign in by mail again. Their sessions go on.
      </ConfirmDialog>
    </>
  )
}

/** The person who requires the sign-in is the owner who can still sign in otherwise. */
async function requiredOwner(api: ReturnType<typeof useApi>, isRequired: boolean) {
  if (isRequired) return { break_glass_user_id: null }
  const me = await api.auth.me({})
  return { break_glass_user_id: me.principal_type === 'user' ? me.user_id : null }
}

const schema = SsoConnectionPatch.pick({ issuer: true, client_id: true, client_secret: true, groups_claim: true })

function ConnectionForm({ connection }: { connection: Connection | undefined }) {
  const api = useApi()
  const refresh = useRefresh()
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: {
      issuer: connection?.issuer ?? '',
      client_id: connection?.client_id ?? '',
      client_secret: undefined,
      groups_claim: connection?.groups_claim ?? 'groups',
    },
    onSubmit: async (body) => {
      await api.auth.updateSsoConnection({ body })
      await refresh(queryKey)
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
