import type { UseQueryResult } from '@tanstack/react-query'
import { typescriptSnippet } from '../developer/shared/snippets.ts'
import { useBaseUrl, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/message/message.tsx'
import { BulkTable } from '../ui/table/bulk-table.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import type { ListPage } from '../ui/table/paged-table.tsx'
import { type Snippet, Snippets } from '../ui/values/code-block.tsx'
import { Badge, Time } from '../ui/values/values.tsx'
import styles from './variables.module.css'

interface Row {
  name: string
  value: string | null
  secret: boolean
  created_at: string
  updated_at: string
}

const columns: readonly Column<Row>[] = [
  { header: 'Name', cell: ({ name }) => <code>{name}</code> },
  {
    header: 'Value',
    cell: ({ value, secret }) => (
      <span className={styles.cut}>
        <VariableValue value={value} isSecret={secret} />
      </span>
    ),
  },
  { header: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} /> },
  { header: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
]

/** The list of variables, with deletion of several. */
export function VariableTable({
  page,
  isFiltered,
  onCreate,
}: {
  page: UseQueryResult<ListPage<Row>>
  isFiltered: boolean
  onCreate?: () => void
}) {
  const { api, workspaceId } = useWorkspace()
  const canWrite = useCan()('workspace:write')
  const action = canWrite
    ? {
        verb: 'Delete',
        past: 'Deleted',
        noun: 'variable',
        consequences: 'What reads them by name gets an error from then on. The history of each remains readable.',
        describe: ({ name }: Row) => <code>{name}</code>,
        call: (name: string) => api.system.deleteVariable({ params: { name } }),
        queryKey: [workspaceId, 'variables'],
      }
    : undefined
  return (
    <BulkTable
      columns={columns}
      page={page}
      noun="variables"
      rowKey={({ name }) => name}
      rowLink={({ name }) => ({ to: '/$workspaceId/variables/$name', params: { name } })}
      action={action}
      empty={<EmptyList isFiltered={isFiltered} {...(onCreate && { onCreate })} />}
    />
  )
}

function EmptyList({ isFiltered, onCreate }: { isFiltered: boolean; onCreate?: () => void }) {
  const baseUrl = useBaseUrl()
  if (isFiltered) return <EmptyState icon="sliders" title="No variable matches the filter" />
  return (
    <EmptyState
      icon="sliders"
      title="No variables yet"
      actions={
        onCreate && (
          <Button variant="primary" onClick={onCreate}>
            Create variable
          </Button>
        )
      }
      snippet={<Snippets label="Set a variable" snippets={variableSnippets(baseUrl)} />}
    >
      A variable holds a value that changes without a deployment, such as an address or a token.
    </EmptyState>
  )
}

/** Returns programs that set a variable. */
const variableSnippets = (baseUrl: string): Snippet[] => [
  {
    language: 'curl',
    code: `curl -sS ${baseUrl}/v1/system/workspace/variables \\
  -H "x-api-key: $WP_API_KEY" -H 'content-type: application/json' \\
  -d '{"name":"ESCALATION_MAIL","value":"facility@example.com"}'`,
  },
  typescriptSnippet(
    baseUrl,
    `await client.system.putVariable({
  body: { name: 'ESCALATION_MAIL', value: 'facility@example.com' },
})`,
  ),
  {
    language: 'Python',
    code: `import json, os, urllib.request

body = json.dumps({"name": "ESCALATION_MAIL", "value": "facility@example.com"}).encode()
request = urllib.request.Request(
    "${baseUrl}/v1/system/workspace/variables",
    body,
    {"x-api-key": os.environ["WP_API_KEY"], "content-type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
  },
]

/** The value of a variable, or that it is secret or empty. */
export function VariableValue({ value, isSecret }: { value: string | null; isSecret: boolean }) {
  if (isSecret) return <Badge tone="warning">secret</Badge>
  if (value === null || value === '') return <span>empty</span>
  return <code>{value}</code>
}
