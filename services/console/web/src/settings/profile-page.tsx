import { useQuery, useQueryClient } from '@tanstack/react-query'
import { auth, type Invitation } from '@wp/contracts'
import type { z } from 'zod'
import { type SessionUser, sessionQuery } from '../session/session.ts'
import { useApi } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { Input } from '../ui/form/controls.tsx'
import { Form, FormField } from '../ui/form/form.tsx'
import { useApiForm } from '../ui/form/use-api-form.ts'
import { ThemeChoice } from '../ui/menu/tabs.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { Card, Cluster, Page } from '../ui/page/page.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { DefinitionList, Id, Time } from '../ui/values/values.tsx'
import { LocaleFields } from './locale-fields.tsx'

/** The profile of the signed-in user, the theme of this browser, and the user's invitations. */
export function ProfilePage() {
  const { data: session } = useQuery(sessionQuery)
  if (!session?.authenticated) return null
  const { user } = session
  return (
    <Page title="Profile" isNarrow>
      <OwnInvitations />
      <Card title="Profile">
        <ProfileForm user={user} />
      </Card>
      <Card title="Theme" description="For this browser only">
        <ThemeChoice />
      </Card>
      <Card title="Account">
        <DefinitionList
          items={[
            ['Email', user.email],
            ['User id', <Id key="id" value={user.user_id} />],
          ]}
        />
      </Card>
    </Page>
  )
}

/** The fields that the page shows: the body has a picture too. */
const schema = auth.updateMe.body.pick({ name: true, locale: true, timezone: true })

/** Changes name, time zone and language of the signed-in user. */
function ProfileForm({ user: { name, locale, timezone } }: { user: SessionUser }) {
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
    <Form {...state} submitLabel="Save changes">
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

type Row = z.infer<typeof Invitation>

/** The invitations of the signed-in user to other workspaces; nothing if there are none. */
function OwnInvitations() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => api.auth.listInvitations({}, { signal }),
  })
  if (data === undefined || data.items.length === 0) return null
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['invitations'] })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const accept = async ({ id, workspace_name }: Row) => {
    await api.auth.acceptInvitationById({ params: { id } })
    await refresh()
    showSuccess(`You joined ${workspace_name}`)
  }
  const decline = async ({ id, workspace_name }: Row) => {
    await api.auth.declineInvitation({ params: { id } })
    await refresh()
    showSuccess(`Declined the invitation to ${workspace_name}`)
  }
  const columns: Column<Row>[] = [
    { header: 'Workspace', cell: ({ workspace_name }) => workspace_name },
    { header: 'Role', cell: ({ role }) => role },
    { header: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      header: '',
      isNarrow: true,
      cell: (row) => (
        <Cluster>
          <Button size="small" variant="primary" onClick={() => void accept(row).catch(showError)}>
            Accept
          </Button>
          <Button size="small" onClick={() => void decline(row).catch(showError)}>
            Decline
          </Button>
        </Cluster>
      ),
    },
  ]
  return (
    <Card title="Your invitations" isFlush>
      <DataTable label="Your invitations" columns={columns} rows={data.items} rowKey={({ id }) => id} empty={null} />
    </Card>
  )
}
