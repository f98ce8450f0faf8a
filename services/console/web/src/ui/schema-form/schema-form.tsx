import { appendPointer, asMembers, type JsonSchema, resolveReference } from './json-schema.ts'
import type { SchemaContext } from './schema-control.tsx'
import { SchemaFields, SchemaMapField } from './schema-field.tsx'
import styles from './schema-form.module.css'

/**
 * A form for an object, made from its JSON Schema. It supports what the schemas of providers use: texts, numbers,
 * flags, choices, lists of texts, maps, nested objects, and objects that their `type` tells apart.
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
      value={value}
      onChange={onChange}
      pointer={pointer}
      context={{ ...context, root: schema }}
    />
  )
  return (
    <>
      {fields(shown)}
      {names.length > 0 && typeof resolved.additionalProperties === 'object' && (
        <OtherMembers
          schema={resolved}
          value={value}
          onChange={onChange}
          pointer={pointer}
          context={{ ...context, root: schema }}
        />
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
    <SchemaMapField
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
