import type { IntegrationTool } from '@wp/contracts'
import { useState } from 'react'
import { Checkbox, Input } from '../../ui/form/controls.tsx'
import { Field, FieldGroup } from '../../ui/form/field.tsx'
import { Cluster } from '../../ui/page/page.tsx'
import { Badge, StatusBadge } from '../../ui/values/values.tsx'
import styles from '../shared/agents.module.css'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies IntegrationTool['methods']

interface OfferedIntegration {
  type: IntegrationTool['type']
  id: string
  name: string
  status: string
}

/** One integration as a tool: off, or on with the methods or tools that the agent may use. */
export function IntegrationToolEditor({
  integration: { type, id, name, status },
  tool,
  onChange,
}: {
  integration: OfferedIntegration
  tool: IntegrationTool | undefined
  onChange: (tool: IntegrationTool | undefined) => void
}) {
  const isHttp = type === 'http'
  return (
    <div className={styles.integrationTool}>
      <Checkbox
        checked={tool !== undefined}
        onChange={() =>
          onChange(tool === undefined ? { type, integration_id: id, ...(isHttp && { methods: ['GET'] }) } : undefined)
        }
        label={
          <Cluster>
            {name}
            <Badge>{isHttp ? 'HTTP service' : 'MCP server'}</Badge>
            {status !== 'connected' && <StatusBadge status={status} />}
          </Cluster>
        }
        hint={
          isHttp
            ? 'Reading is done at once; every other method needs an approval.'
            : 'Every tool needs an approval, unless the server declares that it only reads.'
        }
      />
      {tool !== undefined && (
        <>
          {isHttp ? <Methods tool={tool} onChange={onChange} /> : <ToolNames tool={tool} onChange={onChange} />}
          <Field label="When to use it" hint="Told to the model." isOptional>
            <Input
              value={tool.description ?? ''}
              maxLength={500}
              onChange={({ target: { value } }) => {
                const { description: _previous, ...others } = tool
                onChange(value === '' ? others : { ...others, description: value })
              }}
            />
          </Field>
        </>
      )}
    </div>
  )
}

interface PartProps {
  tool: IntegrationTool
  onChange: (tool: IntegrationTool) => void
}

function Methods({ tool, onChange }: PartProps) {
  const chosen = tool.methods ?? ['GET']
  return (
    <FieldGroup label="Methods">
      <div className={styles.choices}>
        {methods.map((method) => (
          <Checkbox
            key={method}
            label={<code>{method}</code>}
            checked={chosen.includes(method)}
            // At least one method stays.
            disabled={chosen.length === 1 && chosen.includes(method)}
            onChange={() =>
              onChange({
                ...tool,
                methods: methods.filter((other) => (other === method) !== chosen.includes(other)),
              })
            }
          />
        ))}
      </div>
    </FieldGroup>
  )
}

/** The text stays as it is typed; the tool gets the names in it. */
function ToolNames({ tool, onChange }: PartProps) {
  const [text, setText] = useState(() => tool.tools?.join(', ') ?? '')
  return (
    <Field label="Tools" hint="Names, separated by commas. Empty for all tools of the server." isOptional>
      <Input
        isMono
        value={text}
        onChange={({ target: { value } }) => {
          setText(value)
          const names = value.split(',').flatMap((part) => part.trim() || [])
          const { tools: _previous, ...others } = tool
          onChange(names.length === 0 ? others : { ...others, tools: names })
        }}
      />
    </Field>
  )
}
