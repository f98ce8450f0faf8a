import { useState } from 'react'
import { type useApi, useBaseUrl, useCan, useWorkspace, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Radio } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { DefinitionList, Id } from '../../ui/values/values.tsx'
import { OpenIdForm } from './openid-form.tsx'
import { type Connection, connectionQuery as queryKey, useConnection } from './queries.ts'
import { SamlForm } from './saml-form.tsx'
import { SamlProviderDetails } from './saml-provider-details.tsx'

/** The connection to the identity provider of the company. */
export function ConnectionCard() {
  const { data, error, refetch } = useConnection()
  return (
    <Card
      title="Sign-in"
      description="Entra ID, Okta, Google Workspace, Keycloak and others. Register an application with the addresses below there first."
    >
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton height="16rem" />
      ) : (
        <ConnectionSettings key={data.connection?.updated_at ?? 'new'} connection={data.connection} />
      )}
    </Card>
  )
}

const protocols = { oidc: 'OpenID Connect', saml: 'SAML' } as const

function ConnectionSettings({ connection }: { connection: Connection | undefined }) {
  const canChange = useCan()('auth:admin')
  const [kind, setKind] = useState<Connection['kind']>(connection?.kind ?? 'oidc')
  const isReplacing = connection !== undefined && connection.kind !== kind
  const address = `${useBaseUrl()}/v1/auth/login/sso/${useWorkspaceId()}`
  const current = isReplacing ? undefined : connection
  return (
    <Stack>
      {connection !== undefined && <ConnectionState connection={connection} />}
      {canChange && (
        <FieldGroup label="Protocol">
          {(['oidc', 'saml'] as const).map((each) => (
            <Radio
              key={each}
              name="kind"
              label={protocols[each]}
              checked={kind === each}
              onChange={() => setKind(each)}
            />
          ))}
        </FieldGroup>
      )}
      <DefinitionList
        items={[
          ...(kind === 'saml'
            ? ([['Entity ID', <Id key="entity" value={`${address}/metadata`} label="Copy entity ID" />]] as const)
            : []),
          [
            kind === 'saml' ? 'Reply address (ACS)' : 'Redirect address',
            <Id key="redirect" value={`${address}/callback`} label="Copy address" />,
          ],
          ['Other sign-ins', connection?.required === true ? 'Refused for this workspace' : 'Allowed'],
        ]}
      />
      {current?.saml && <SamlProviderDetails provider={current.saml} issuer={current.issuer} />}
      {isReplacing && (
        <Callout>
          The company signs in with {protocols[connection.kind]} until you connect {protocols[kind]}, which replaces it.
        </Callout>
      )}
      {!canChange && <Callout>Changing the sign-in needs the scope auth:admin.</Callout>}
      {canChange && (kind === 'saml' ? <SamlForm connection={current} /> : <OpenIdForm connection={current} />)}
    </Stack>
  )
}

/** The buttons that test the sign-in, require or remove it. */
function ConnectionState({ connection: { required } }: { connection: Connection }) {
  const { api, refresh } = useWorkspace()
  const canChange = useCan()('auth:admin')
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
