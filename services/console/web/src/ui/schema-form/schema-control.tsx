import { useState } from 'react'
import { Input, Select, Textarea } from '../form/controls.tsx'
import { NumberInput } from '../form/number-input.tsx'
import { type FieldErrors, type JsonSchema, kindOf, labelOf } from './json-schema.ts'

/** Properties that all fields of one form share. */
export interface SchemaContext {
  root: JsonSchema
  errors: FieldErrors
  /** The values are secrets: they are not shown, and an empty field keeps a stored one. */
  isSecret?: boolean
  /** Names of secrets that are stored. */
  stored?: readonly string[]
}

export interface SchemaFieldProps {
  name: string
  schema: JsonSchema
  value: unknown
  /** Undefined removes the value. */
  onChange: (value: unknown) => void
  isRequired: boolean
  pointer: string
  context: SchemaContext
}

/** The control of a single value. Further properties come from the field around it. */
export function SchemaControl({
  name,
  schema,
  value,
  onChange,
  context,
  isRequired: _,
  pointer: __,
  ...field
}: SchemaFieldProps) {
  const kind = kindOf(schema)
  const setText = (text: string) => onChange(text === '' ? undefined : text)
  if (kind === 'choice')
    return (
      <Select
        {...field}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => setText(event.target.value)}
        options={choicesOf(schema)}
      />
    )
  if (kind === 'list') return <ListControl field={field} value={value} onChange={onChange} />
  if (kind === 'number')
    return (
      <NumberInput
        {...field}
        min={schema.minimum}
        max={schema.maximum}
        value={typeof value === 'number' ? value : undefined}
        placeholder={placeholderOf(schema)}
        onChange={onChange}
      />
    )
  if (kind === 'json') return <JsonControl field={field} value={value} onChange={onChange} />
  const text = typeof value === 'string' ? value : ''
  if (context.isSecret)
    return <SecretControl name={name} field={field} text={text} setText={setText} context={context} />
  if ((schema.maxLength ?? 0) > longTextLength)
    return <Textarea {...field} isMono rows={5} value={text} onChange={(event) => setText(event.target.value)} />
  return (
    <Input
      {...field}
      value={text}
      placeholder={placeholderOf(schema)}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
    />
  )
}

const longTextLength = 4000

/** The attributes that connect a control with its label, hint and error. */
type FieldAttributes = object

function SecretControl({
  name,
  field,
  text,
  setText,
  context,
}: {
  name: string
  field: FieldAttributes
  text: string
  setText: (text: string) => void
  context: SchemaContext
}) {
  return (
    <Input
      {...field}
      type="password"
      isMono
      value={text}
      autoComplete="new-password"
      placeholder={context.stored?.includes(name) ? 'Leave empty to keep' : ''}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

interface TextControlProps {
  field: FieldAttributes
  value: unknown
  onChange: (value: unknown) => void
}

/** A list of texts, one a line. */
function ListControl({ field, value, onChange }: TextControlProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join('\n') : ''))
  return (
    <Textarea
      {...field}
      rows={3}
      value={text}
      placeholder="One per line"
      onChange={({ target }) => {
        setText(target.value)
        const lines = target.value.split('\n').map((line) => line.trim())
        const items = lines.filter((line) => line !== '')
        onChange(items.length === 0 ? undefined : items)
      }}
    />
  )
}

function JsonControl({ field, value, onChange }: TextControlProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, undefined, 2)))
  return (
    <Textarea
      {...field}
      isMono
      rows={4}
      value={text}
      placeholder="JSON"
      onChange={({ target }) => {
        setText(target.value)
        onChange(parseJson(target.value))
      }}
    />
  )
}

/** Text that is not JSON yet stays text, which the platform refuses with a reason. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function choicesOf({ enum: values = [], default: byDefault }: JsonSchema) {
  const options = values.map((value) => ({ value: String(value), label: labelOf(String(value)) }))
  const fallback = byDefault === undefined ? 'Default' : `${labelOf(String(byDefault))} (default)`
  return [{ value: '', label: fallback }, ...options.filter(({ value }) => value !== byDefault)]
}

const placeholderOf = ({ default: byDefault, examples }: JsonSchema): string | undefined => {
  if (byDefault !== undefined && byDefault !== '') return String(byDefault)
  return examples?.[0] === undefined ? undefined : String(examples[0])
}

/** A description of a schema, whose backticks mark code. */
export const Description = ({ text }: { text: string }) =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={`${index}-${part}`}>{part}</code> : <span key={`${index}-${part}`}>{part}</span>,
    )
