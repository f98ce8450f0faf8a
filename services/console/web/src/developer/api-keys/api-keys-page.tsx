import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { NewApiKey } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/button/icon.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { DeveloperTabs } from '../shared/developer-tabs.tsx'
import { ApiKeyForm } from './api-key-form.tsx'
import { type ApiKeySecret, ApiKeySecretDialog } from './api-key-secret-dialog.tsx'
import { ApiKeyTable } from './api-key-table.tsx'

const route = getRouteApi('/$workspaceId/developer/keys')

/** The API keys of the workspace. */
export function ApiKeysPage() {
  const search = route.useSearch()
  const { create: isCreating = false, cursor } = search
  const navigate = route.useNavigate()
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const canCreate = can('auth:keys')
  const queryClient = useQueryClient()
  const [secret, setSecret] = useState<ApiKeySecret>()
  const page = useQuery({
    queryKey: [workspaceId, 'api-keys', { cursor }],
    queryFn: ({ signal }) => api.auth.listApiKeys({ query: { ...(cursor !== undefined && { cursor }) } }, { signal }),
  })
  const setCreating = (create: true | undefined) => navigate({ search: changeSearch(search, { create }) })
  const create = async (body: z.infer<typeof NewApiKey>) => {
    const created = await api.auth.createApiKey({ body })
    // First, because the dialog with the key holds navigations back.
    await setCreating(undefined)
    setSecret(created)
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'api-keys'] })
  }
  return (
    <Page
      title="Developer"
      description={
        can('auth:admin')
          ? 'The API keys of the workspace. A key is sent with each request, in the header x-api-key.'
          : 'The API keys that you created. A key is sent with each request, in the header x-api-key.'
      }
      actions={
        <Button
          variant="primary"
          disabled={!canCreate}
          title={canCreate ? undefined : 'Needs the scope auth:keys'}
          onClick={() => void setCreating(true)}
        >
          <Icon name="plus" size={16} />
          Create API key
        </Button>
      }
    >
      <DeveloperTabs />
      <Card isFlush>
        <ApiKeyTable page={page} cursor={cursor} {...(canCreate && { onCreate: () => void setCreating(true) })} />
      </Card>
      <Dialog
        isOpen={isCreating}
        onClose={() => void setCreating(undefined)}
        size="wide"
        title="Create an API key"
        description="The key is shown once, after it was created."
      >
        <ApiKeyForm onSubmit={create} onCancel={() => void setCreating(undefined)} />
      </Dialog>
      {secret && <ApiKeySecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}
