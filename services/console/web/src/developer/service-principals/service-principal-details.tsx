import type { ServicePrincipal } from '@wp/contracts'
import type { z } from 'zod'
import { ScopeList } from '../../scopes/scope-list.tsx'
import { useBaseUrl } from '../../session/use-base-url.ts'
import { usePrincipalNames } from '../../session/use-principal-names.ts'
import { Snippets } from '../../ui/data/code-block.tsx'
import { DefinitionList } from '../../ui/data/definition-list.tsx'
import { Id } from '../../ui/data/id.tsx'
import { Time } from '../../ui/data/time.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/isolate.ts'
import { Card } from '../../ui/page/page.tsx'
import { principalSnippets } from '../shared/snippets.ts'

/** Shows a service principal with its scopes and snippets. */
export function ServicePrincipalDetails({ principal: data }: { principal: z.infer<typeof ServicePrincipal> }) {
  const baseUrl = useBaseUrl()
  const nameOf = usePrincipalNames()
  return (
    <>
      <Card title="Credential">
        <DefinitionList
          items={[
            ['Client id', <Id key="id" value={data.client_id} label="Copy client id" />],
            ['Workspace id', <Id key="workspace" value={data.workspace_id} label="Copy workspace id" />],
            ['Client secret', 'Shown once, when it is created or rotated'],
            ['Environment', data.environment],
            ['Created by', `${isolate(nameOf(data.created_by))}${data.creator_removed ? ' (removed)' : ''}`],
            ['Last used', data.last_used_at ? <Time key="used" value={data.last_used_at} /> : 'Never'],
            [
              'Secret rotated',
              data.secret_rotated_at ? <Time key="rotated" value={data.secret_rotated_at} /> : 'Never',
            ],
            ['Created', <Time key="created" value={data.created_at} format="absolute" />],
            ['Changed', <Time key="updated" value={data.updated_at} />],
          ]}
        />
      </Card>
      <Card title="Scopes" description={formatCount(data.scopes.length, 'scope')}>
        <ScopeList scopes={data.scopes} />
      </Card>
      <Card title="Use it">
        <Snippets
          label="Use it"
          snippets={principalSnippets({ baseUrl, workspaceId: data.workspace_id, clientId: data.client_id })}
        />
      </Card>
    </>
  )
}
