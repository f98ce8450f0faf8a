import { type BuiltInTool, builtInTools, type IntegrationTool, type ToolReference } from '@wp/contracts'
import { Checkbox } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { Badge } from '../../ui/values/values.tsx'
import styles from '../shared/agents.module.css'
import { useIntegrations, useTools } from '../shared/queries.ts'
import { IntegrationToolEditor } from './integration-tool-editor.tsx'

/** The tools of an agent: the built-in ones, and those of integrations. */
export function ToolsEditor({
  value,
  error,
  onChange,
}: {
  value: readonly ToolReference[]
  error: string | undefined
  onChange: (tools: ToolReference[]) => void
}) {
  const tools = useTools()
  const toggle = (name: BuiltInTool) =>
    onChange(value.includes(name) ? value.filter((tool) => tool !== name) : [...value, name])
  return (
    <FieldGroup
      label="Tools"
      hint="What the assistant may do, always with the scopes of the caller of the run."
      error={error}
    >
      <Stack>
        {tools.error && <ErrorMessage error={tools.error} onRetry={() => void tools.refetch()} />}
        {tools.isLoading && <Skeleton height="8rem" />}
        {groupTools(tools.data ?? []).map((group) => (
          <div key={group.title}>
            <div className={styles.groupTitle}>{group.title}</div>
            <div className={styles.toolGroup}>
              {group.tools.map(({ name, description, required_scopes: scopes, requires_approval: needsApproval }) => {
                const builtIn = builtInTools.find((tool) => tool === name)
                if (builtIn === undefined) return null
                return (
                  <Checkbox
                    key={name}
                    checked={value.includes(builtIn)}
                    onChange={() => toggle(builtIn)}
                    label={
                      <span>
                        <code>{name}</code> {needsApproval && <Badge tone="warning">needs approval</Badge>}
                      </span>
                    }
                    hint={`${firstSentence(description)} Scope: ${scopes.join(', ')}.`}
                  />
                )
              })}
            </div>
          </div>
        ))}
        <IntegrationTools value={value} onChange={onChange} />
      </Stack>
    </FieldGroup>
  )
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text

function IntegrationTools({
  value,
  onChange,
}: {
  value: readonly ToolReference[]
  onChange: (tools: ToolReference[]) => void
}) {
  const integrations = useIntegrations()
  const used = value.filter((tool) => typeof tool !== 'string')
  const offered = (integrations.data ?? []).flatMap(({ provider, integration_id: id, name, status }) =>
    provider === 'http' || provider === 'mcp_server' ? [{ type: provider, id, name, status }] : [],
  )
  const missing = used
    .filter(({ integration_id }) => !offered.some(({ id }) => id === integration_id))
    .map(({ type, integration_id: id }) => ({ type, id, name: id, status: 'unavailable' }))
  const replace = (id: string, tool: IntegrationTool | undefined) =>
    onChange([
      ...value.filter((other) => typeof other === 'string' || other.integration_id !== id),
      ...(tool === undefined ? [] : [tool]),
    ])
  return (
    <div>
      <div className={styles.groupTitle}>Integrations</div>
      {integrations.error && <ErrorMessage error={integrations.error} onRetry={() => void integrations.refetch()} />}
      {integrations.data && offered.length + missing.length === 0 && (
        <p className="muted">Connect an HTTP service or an MCP server to give the assistant its tools.</p>
      )}
      <Stack>
        {[...offered, ...missing].map((integration) => (
          <IntegrationToolEditor
            key={integration.id}
            integration={integration}
            tool={used.find(({ integration_id }) => integration_id === integration.id)}
            onChange={(tool) => replace(integration.id, tool)}
          />
        ))}
      </Stack>
    </div>
  )
}

/** Built-in tools by what they work with. */
const groups: readonly (readonly [title: string, tools: readonly BuiltInTool[]])[] = [
  ['Records', ['search_data', 'list_sources', 'list_records', 'read_record', 'aggregate_records']],
  ['Forecasts', ['start_forecast', 'read_forecast']],
  ['Workplace', ['list_workplace', 'create_scenario', 'read_scenario']],
  ['Workspace', ['read_variable']],
]

/** Sorts tools into groups in a fixed order. Tools that no group knows come last, under `Other`. */
function groupTools<Tool extends { name: string }>(tools: readonly Tool[]): { title: string; tools: Tool[] }[] {
  const grouped = groups.map(([title, names]) => ({
    title,
    tools: names.flatMap((name) => tools.filter((tool) => tool.name === name)),
  }))
  const known = new Set<string>(groups.flatMap(([, names]) => names))
  const other = { title: 'Other', tools: tools.filter(({ name }) => !known.has(name)) }
  return [...grouped, other].filter((group) => group.tools.length > 0)
}
