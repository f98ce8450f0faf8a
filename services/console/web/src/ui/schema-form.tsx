import { type ReactNode, useId, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Checkbox, Input, Select } from './controls.tsx'
import { Field, FieldGroup } from './field.tsx'
import { Icon } from './icon.tsx'
import {
  appendPointer,
  asMembers,
  findVariant,
  type JsonSchema,
  kindOf,
  labelOf,
  resolveReference,
} from './json-schema.ts'
import { Description, type SchemaContext, SchemaControl, type SchemaFieldProps } from './schema-control.tsx'
import styles from './schema-form.module.css'

/**
 * A form for an object, made from its JSON Schema. It supports what the schemas of providers use: texts, numbers, flags,
 * choices, lists of texts, maps, nested objects, and objects that their `type` tells apart.
 * @param first names of the fields to show; all others are behind a button. By default all are shown
 */
export function SchemaForm({
  schema,
  value,
  onChange,
  pointer,
  first,
  ...context
}: {
  schema: JsonSchema
  value: Readonly<Record<string, unknown>>
  onChange: (value: Record<string, unknown>) => void
  /** Position of the object in the body of the request. */
  pointer: string
  first?: readonly string[]
} & Omit<SchemaContext, 'root'>) {
  const resolved = resolveReference(schema, schema)
  const names = Object.keys(resolved.properties ?? {})
  const shown = first === undefined ? names : first.filter((name) => names.includes(name))
  const hidden = names.filter((name) => !shown.includes(name))
  const hasHiddenError = hidden.some((name) =>
    [...context.errors.keys()].some((place) => place.startsWith(appendPointer(pointer, name))),
  )
  const fields = (list: readonly string[]) => (
    <SchemaFields
      schema={resolved}
      names={list}
      {...{ value, onChange, pointer }}
      context={{ ...context, root: schema }}
    />
  )
  return (
    <>
      {fields(shown)}
      {names.length > 0 && typeof resolved.additionalProperties === 'object' && (
        <OtherMembers schema={resolved} {...{ value, onChange, pointer }} context={{ ...context, root: schema }} />
      )}
      {hidden.length > 0 && (
        <details className={styles.more} open={hasHiddenError || undefined}>
          <summary>More settings</summary>
          <div className={styles.fields}>{fields(hidden)}</div>
        </details>
      )}
    </>
  )
}

/** The members of an object that its schema does not name. */
function OtherMembers({
  schema: { properties = {}, propertyNames = {}, additionalProperties },
  value,
  onChange,
  pointer,
  context,
}: {
  schema: JsonSchema
  value: Readonly<Record<string, unknown>>
  onChange: (value: Record<string, unknown>) => void
  pointer: string
  context: SchemaContext
}) {
  const member = typeof additionalProperties === 'object' ? additionalProperties : {}
  const pick = (isNamed: boolean) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name) === isNamed))
  return (
    <MapField
      name={member.title ?? 'Other'}
      schema={{ propertyNames, additionalProperties: member }}
      value={pick(false)}
      onChange={(others) => onChange({ ...pick(true), ...asMembers(others) })}
      isRequired={false}
      pointer={pointer}
      context={context}
    />
  )
}

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
export function SchemaField(props: SchemaFieldProps) {
  const { name, schema, value, onChange, isRequired, pointer, context } = props
  const kind = kindOf(schema)
  if (schema.const !== undefined) return null
  if (kind === 'map') return <MapField {...props} />
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

interface Entry {
  key: number
  name: string
  value: unknown
}

/** Names and values that the person chooses, such as headers. */
function MapField({ name, schema, value, onChange, pointer, context }: SchemaFieldProps) {
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
      <div className={styles.entries}>
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
            />
            <IconButton
              label={`Remove ${entry.name || `entry ${index + 1}`}`}
              variant="quiet"
              onClick={() => change(entries.filter(({ key }) => key !== entry.key))}
            >
              <Icon name="close" size={16} />
            </IconButton>
          </div>
        ))}
        <div>
          <Button size="small" onClick={add}>
            <Icon name="plus" size={14} />
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
  schema,
  value,
  onChange,
  pointer,
  context,
  errorId,
}: {
  label: string
  schema: JsonSchema
  value: unknown
  onChange: (value: unknown) => void
  pointer: string
  context: SchemaContext
  errorId: string
}) {
  if (kindOf(schema) === 'group')
    return (
      <div className={styles.entryFields}>
        <SchemaFields schema={schema} value={value} onChange={onChange} pointer={pointer} context={context} />
      </div>
    )
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
