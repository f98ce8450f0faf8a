import { type ReactNode, useId, useState } from 'react'
import { Button, IconButton } from '../button/button.tsx'
import { Input } from '../form/controls.tsx'
import { FieldGroup } from '../form/field.tsx'
import { appendPointer, asMembers, type JsonSchema, kindOf, labelOf, resolveReference } from './json-schema.ts'
import { Description, type SchemaContext, type SchemaFieldProps } from './schema-control.tsx'
import styles from './schema-form.module.css'

interface Entry {
  key: number
  name: string
  value: unknown
}

/** The value of one entry of a map. */
export interface MapValueProps {
  schema: JsonSchema
  value: unknown
  onChange: (value: unknown) => void
  pointer: string
  context: SchemaContext
}

/** Names and values that the person chooses, such as headers. */
export function MapField({
  name,
  schema,
  value,
  onChange,
  pointer,
  context,
  renderObject,
}: SchemaFieldProps & {
  /** Returns the fields of a value that is an object. */
  renderObject: (field: MapValueProps) => ReactNode
}) {
  const id = useId()
  const [entries, setEntries] = useState<readonly Entry[]>(() =>
    Object.entries(asMembers(value)).map(([entryName, member], key) => ({ key, name: entryName, value: member })),
  )
  const change = (next: readonly Entry[]) => {
    setEntries(next)
    const named = next.filter((entry) => entry.name !== '')
    onChange(named.length === 0 ? undefined : Object.fromEntries(named.map((entry) => [entry.name, entry.value ?? ''])))
  }
  const update = (key: number, part: Partial<Entry>) =>
    change(entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const add = () => {
    const key = Math.max(-1, ...entries.map((entry) => entry.key)) + 1
    setEntries([...entries, { key, name: '', value: emptyValue(memberSchema) }])
  }
  const memberSchema = resolveReference(
    typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {},
    context.root,
  )
  const label = labelOf(name, schema)
  return (
    <FieldGroup
      label={label}
      hint={schema.description && <Description text={schema.description} />}
      error={context.errors.get(pointer)}
    >
      <div className="stack-2 above-1">
        {entries.map((entry, index) => (
          <div key={entry.key} className={styles.entry} data-kind={kindOf(memberSchema)}>
            <Input
              aria-label={`${label}: name ${index + 1}`}
              placeholder="Name"
              value={entry.name}
              spellCheck={false}
              onChange={(event) => update(entry.key, { name: event.target.value })}
            />
            <MapValue
              label={`${label}: value ${index + 1}`}
              schema={memberSchema}
              value={entry.value}
              onChange={(next) => update(entry.key, { value: next })}
              pointer={appendPointer(pointer, entry.name)}
              context={context}
              errorId={`${id}-${entry.key}`}
              renderObject={renderObject}
            />
            <IconButton
              icon="close"
              label={`Remove ${entry.name || `entry ${index + 1}`}`}
              variant="quiet"
              onClick={() => change(entries.filter(({ key }) => key !== entry.key))}
            />
          </div>
        ))}
        <div>
          <Button icon="plus" size="small" onClick={add}>
            Add
          </Button>
        </div>
      </div>
    </FieldGroup>
  )
}

/** An object starts with the first value of each required choice, so that what is shown is what is sent. */
const emptyValue = ({ properties = {}, required = [] }: JsonSchema): unknown =>
  required.length === 0 ? '' : Object.fromEntries(required.map((name) => [name, properties[name]?.enum?.[0] ?? '']))

function MapValue({
  label,
  errorId,
  renderObject,
  ...field
}: MapValueProps & {
  label: string
  errorId: string
  renderObject: (field: MapValueProps) => ReactNode
}) {
  const { schema, value, onChange, pointer, context } = field
  if (kindOf(schema) === 'group') return <div className={styles.entryFields}>{renderObject(field)}</div>
  const error = context.errors.get(pointer)
  return (
    <div>
      <Input
        aria-label={label}
        placeholder="Value"
        type={context.isSecret ? 'password' : 'text'}
        autoComplete={context.isSecret ? 'new-password' : 'off'}
        value={typeof value === 'string' ? value : ''}
        {...(error && { 'aria-invalid': true, 'aria-describedby': errorId })}
        onChange={(event) => onChange(event.target.value)}
      />
      {error && (
        <div id={errorId} role="alert" className={styles.entryError}>
          {error}
        </div>
      )}
    </div>
  )
}
