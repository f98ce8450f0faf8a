import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { FieldGroup } from '../form/field.tsx'
import { appendPointer, type JsonSchema, labelOf } from './json-schema.ts'
import { Description, type SchemaContext, type SchemaFieldProps } from './schema-control.tsx'
import styles from './schema-form.module.css'

/** An entry of a list of objects. */
export interface EntryProps {
  schema: JsonSchema
  value: unknown
  onChange: (value: Record<string, unknown>) => void
  pointer: string
  context: SchemaContext
}

/** A list of objects, each with the fields of its schema. */
export function EntriesField({
  name,
  schema,
  value,
  onChange,
  isRequired,
  pointer,
  context,
  renderEntry,
}: SchemaFieldProps & { renderEntry: (entry: EntryProps) => ReactNode }) {
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const label = labelOf(name, schema)
  const change = (next: readonly unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next)
  return (
    <FieldGroup
      label={isRequired ? label : `${label} (optional)`}
      hint={schema.description && <Description text={schema.description} />}
      error={context.errors.get(pointer)}
    >
      <div className="stack-2 above-1">
        {entries.map((entry, index) => (
          <div key={index} className={styles.group}>
            <div className={styles.columns}>
              {renderEntry({
                schema: schema.items ?? {},
                value: entry,
                onChange: (next) => change(entries.map((other, at) => (at === index ? next : other))),
                pointer: appendPointer(pointer, index),
                context,
              })}
            </div>
            <div>
              <Button
                icon="close"
                size="small"
                variant="quiet"
                onClick={() => change(entries.filter((_, at) => at !== index))}
              >
                Remove entry {index + 1}
              </Button>
            </div>
          </div>
        ))}
        <div>
          <Button icon="plus" size="small" onClick={() => change([...entries, {}])}>
            Add
          </Button>
        </div>
      </div>
    </FieldGroup>
  )
}
