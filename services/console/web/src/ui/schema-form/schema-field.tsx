import type { ReactNode } from 'react'
import { Checkbox, Select } from '../form/controls.tsx'
import { Field, FieldGroup } from '../form/field.tsx'
import { EntriesField } from './entries-field.tsx'
import {
  appendPointer,
  asMembers,
  findVariant,
  type JsonSchema,
  kindOf,
  labelOf,
  resolveReference,
} from './json-schema.ts'
import { MapField } from './map-field.tsx'
import { Description, type SchemaContext, SchemaControl, type SchemaFieldProps } from './schema-control.tsx'
import styles from './schema-form.module.css'

/** Fields of an object. Without `names` all of them, and the members that the schema does not name. */
export function SchemaFields({
  schema,
  value,
  onChange,
  pointer,
  names,
  context,
}: {
  schema: JsonSchema
  value: unknown
  onChange: (value: Record<string, unknown>) => void
  pointer: string
  names?: readonly string[]
  context: SchemaContext
}): ReactNode {
  const members = asMembers(value)
  const named = Object.entries(schema.properties ?? {}).filter(([name]) => names === undefined || names.includes(name))
  const ordered = names ? named.toSorted(([left], [right]) => names.indexOf(left) - names.indexOf(right)) : named
  return ordered.map(([name, member]) => {
    const resolved = resolveReference(member, context.root)
    return (
      <SchemaField
        key={name}
        name={name}
        schema={resolved}
        value={members[name]}
        onChange={(next) => onChange(withMember(members, name, next))}
        isRequired={schema.required?.includes(name) ?? false}
        pointer={appendPointer(pointer, name)}
        context={context}
      />
    )
  })
}

function withMember(members: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _previous, ...rest } = members
  return value === undefined ? rest : { ...rest, [name]: value }
}

/** One field of a form. */
function SchemaField(props: SchemaFieldProps) {
  const { name, schema, value, onChange, isRequired, pointer, context } = props
  const kind = kindOf(schema)
  if (schema.const !== undefined) return null
  if (kind === 'map') return <SchemaMapField {...props} />
  if (kind === 'entries') return <EntriesField {...props} renderEntry={(entry) => <SchemaFields {...entry} />} />
  if (kind === 'variants') return <VariantField {...props} />
  const label = labelOf(name, schema)
  const error = context.errors.get(pointer)
  const hint = schema.description && <Description text={schema.description} />
  if (kind === 'flag')
    return (
      <Checkbox
        label={label}
        hint={hint}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    )
  if (kind === 'group')
    return (
      <FieldGroup label={isRequired ? label : `${label} (optional)`} hint={hint} error={error}>
        <div className={styles.group}>
          <SchemaFields
            schema={schema}
            value={value}
            pointer={pointer}
            context={context}
            onChange={(next) => onChange(isRequired || Object.keys(next).length > 0 ? next : undefined)}
          />
        </div>
      </FieldGroup>
    )
  return (
    <Field label={label} hint={hint} error={error} isOptional={!isRequired}>
      <SchemaControl {...props} />
    </Field>
  )
}

/** A map whose values may be objects with fields of their own. */
export const SchemaMapField = (props: SchemaFieldProps) => (
  <MapField {...props} renderObject={(member) => <SchemaFields {...member} />} />
)

/** A choice between objects, and the fields of the chosen one. */
function VariantField({ name, schema, value, onChange, isRequired, pointer, context }: SchemaFieldProps) {
  const variant = findVariant(schema, value)
  const typeOf = ({ properties }: JsonSchema) => String(properties?.type?.const)
  return (
    <div className={styles.fields}>
      <Field
        label={labelOf(name, schema)}
        hint={variant?.description && <Description text={variant.description} />}
        error={context.errors.get(appendPointer(pointer, 'type')) ?? context.errors.get(pointer)}
        isOptional={!isRequired}
      >
        <Select
          value={variant ? typeOf(variant) : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : { type: event.target.value })}
          options={[
            { value: '', label: 'None' },
            ...(schema.oneOf ?? []).map((option) => ({ value: typeOf(option), label: labelOf(typeOf(option)) })),
          ]}
        />
      </Field>
      {variant && Object.keys(variant.properties ?? {}).length > 1 && (
        <div className={styles.group}>
          <SchemaFields schema={variant} value={value} onChange={onChange} pointer={pointer} context={context} />
        </div>
      )}
    </div>
  )
}
